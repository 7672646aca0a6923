#!/bin/sh
# What git runs to ask somebody something: leads to the extension that started this git.
ELECTRON_RUN_AS_NODE=1 exec "$RESIDENT_GIT_PROMPT_NODE" $RESIDENT_GIT_PROMPT_NODE_OPTIONS "$RESIDENT_GIT_PROMPT_MAIN" "$@"
