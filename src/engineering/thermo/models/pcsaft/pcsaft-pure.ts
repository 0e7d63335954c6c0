import type { AssociationScheme, SiteCounts } from '../association/association-sites.ts';

/** PC-SAFT parameters of one component. */
export interface PcSaftPure {
  /** Segments [-], diameter [m], dispersion energy eps/k [K]. */
  readonly m: number;
  readonly sigma: number;
  readonly eps: number;
  readonly scheme: AssociationScheme | SiteCounts | undefined;
  /** Association volume [-] and energy eps_AB/k [K]; 0 without sites. */
  readonly kappa: number;
  readonly energy: number;
  /** Dipole moment [D]; 0 without. */
  readonly dipole: number;
}
