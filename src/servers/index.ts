import type { Server } from '../kit/index.ts';
import { neqsim } from './neqsim/index.ts';
import { tms } from './tms/index.ts';

/** The servers of this release, in the order in which they are announced. */
export const BUILT_IN_SERVERS: readonly Server[] = [tms, neqsim];
