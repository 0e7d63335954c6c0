import type { Access } from '../../kit/index.ts';

/** Access of this server's tools (design ruling 2: payments readers are ADVISORY, actuators EXECUTION). */
export const READ: Access = { category: 'ADVISORY', trust: null, risk: 'read', readOnly: true, destructive: false };
export const T1: Access = { category: 'EXECUTION', trust: null, risk: 'T1', readOnly: false, destructive: false };
export const T2: Access = { category: 'EXECUTION', trust: null, risk: 'T2', readOnly: false, destructive: true };
