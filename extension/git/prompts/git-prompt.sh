#!/bin/sh
# git runs this script to ask the user. It forwards the question to the extension that started this git.
ELECTRON_RUN_AS_NODE=1 exec "$RESIDENT_GIT_PROMPT_NODE" $RESIDENT_GIT_PROMPT_NODE_OPTIONS "$RESIDENT_GIT_PROMPT_MAIN" "$@"
