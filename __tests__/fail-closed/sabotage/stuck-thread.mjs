// A job that one of Node's threads never ends, as a lookup of a name is while the resolver does not answer: a pipe that
// nobody writes to.
import { spawnSync } from 'node:child_process';
import { open } from 'node:fs';
import { join } from 'node:path';

const pipe = join(process.env.RUNNER_TEMP ?? '', 'nobody-writes');
const { status } = spawnSync('mkfifo', [pipe]);
if (status !== 0) throw new Error('There is no mkfifo here.');
open(pipe, 'r', () => {});
