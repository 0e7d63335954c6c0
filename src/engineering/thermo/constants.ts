/** Physical constants and the standard states that the engine counts from. SI units. */

/** Molar gas constant [J/(mol K)], exact since the 2019 SI (CODATA 2018). */
export const R = 8.314462618;

/**
 * Gas constant [J/(mol K)] of the cubic models (CODATA 2010). It differs from R by 6e-8 relative and is kept so that
 * SRK and PR answers can be compared with other programs digit by digit.
 */
export const R_CUBIC = 8.3144621;

/** One standard atmosphere [Pa]. */
export const ATM = 101325;

/** Temperature of the caloric zero [K]: the ideal gas has enthalpy 0 here, and entropy 0 here at P_REF. */
export const T_REF = 273.15;

/** Pressure of the entropy zero [Pa]. */
export const P_REF = ATM;
