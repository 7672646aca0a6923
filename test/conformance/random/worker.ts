/** A worker process of `pool.ts`. */
import { runTask } from './pool';

process.on('message', (task: Parameters<typeof runTask>[0]) => {
  void runTask(task).then((result) => process.send?.(result));
});
