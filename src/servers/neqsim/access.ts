import type { Access } from '../../kit/index.ts';

/** Calculations and look-ups of the stable industrial core: they change nothing. */
export const CORE_CALCULATION: Access = {
  category: 'CALCULATION',
  trust: 'TRUSTED_CORE',
  risk: 'read',
  readOnly: true,
  destructive: false,
};
export const CORE_ADVISORY: Access = { ...CORE_CALCULATION, category: 'ADVISORY' };
/** Screening and design support beyond the core. */
export const ADVANCED_CALCULATION: Access = { ...CORE_CALCULATION, trust: 'ENGINEERING_ADVANCED' };
