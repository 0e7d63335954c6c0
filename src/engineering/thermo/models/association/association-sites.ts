/**
 * Association sites of a mixture. Equivalent sites of one component form one site type with a multiplicity, so a 4C molecule has two
 * types of two sites each and every matrix stays small.
 *
 * Scheme names after S. H. Huang and M. Radosz, Ind. Eng. Chem. Res. 29 (1990) 2284, doi:10.1021/ie00107a014. The component
 * table uses 1A and 2A for solvating components: proton acceptors (CO2, H2S, aromatics) that bond with donors of others and not with
 * themselves. The self-associating 1A of the paper (acids that dimerise) is '1A-dimer'.
 */
export type AssociationScheme = '1A' | '2A' | '1A-dimer' | '2B' | '3B' | '4C';

/** A proton donor, a proton acceptor, or a site that bonds with any other. */
export type SiteKind = 'donor' | 'acceptor' | 'any';

export interface SiteType {
  /** Index of the component in the mixture. */
  readonly component: number;
  readonly kind: SiteKind;
  /** Sites of this type on one molecule. */
  readonly multiplicity: number;
}

const SCHEMES: Readonly<Record<AssociationScheme, readonly (readonly [SiteKind, number])[]>> = {
  '1A': [['acceptor', 1]],
  '2A': [['acceptor', 2]],
  '1A-dimer': [['any', 1]],
  '2B': [
    ['donor', 1],
    ['acceptor', 1],
  ],
  '3B': [
    ['donor', 1],
    ['acceptor', 2],
  ],
  '4C': [
    ['donor', 2],
    ['acceptor', 2],
  ],
};

/** Proton donors and acceptors of one molecule, for substances that no named scheme describes. */
export interface SiteCounts {
  readonly donors: number;
  readonly acceptors: number;
}

/** Site types of a mixture from the scheme or the site counts of each component; undefined for a component without sites. */
export function siteTypes(schemes: readonly (AssociationScheme | SiteCounts | undefined)[]): readonly SiteType[] {
  return schemes.flatMap((scheme, component) =>
    scheme === undefined
      ? []
      : sitesOf(scheme).map(([kind, multiplicity]) => ({ component, kind, multiplicity }) satisfies SiteType),
  );
}

function sitesOf(scheme: AssociationScheme | SiteCounts): readonly (readonly [SiteKind, number])[] {
  if (typeof scheme === 'string') return SCHEMES[scheme];
  const sites: readonly (readonly [SiteKind, number])[] = [
    ['donor', scheme.donors],
    ['acceptor', scheme.acceptors],
  ];
  return sites.filter(([, multiplicity]) => multiplicity > 0);
}

export function canBond(a: SiteType, b: SiteType): boolean {
  return a.kind === 'any' || b.kind === 'any' || a.kind !== b.kind;
}
