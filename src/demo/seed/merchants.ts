import { DAY, type DemoCalendar } from './calendar.ts';
import { type Table, table } from './copy.ts';
import { CURRENCIES, type Currency, fraction } from './money.ts';
import { random } from './prng.ts';

/** Forty invented merchants, what they pay, and how far their papers are (the `mms` database). */
export interface Merchant {
  readonly number: number;
  readonly mid: string;
  readonly reference: string;
  readonly currency: Currency;
  readonly mcc: string;
  readonly tier: MccTier;
  readonly template: number;
}
export type MccTier = 'low' | 'medium' | 'high';
export type CardType = (typeof CARD_TYPES)[number]['code'];

/** The betting merchant of story 21. */
export const RISKY = 'M1031';

export const CARD_TYPES = [
  { code: 'visa_debit', scheme: 'visa', domestic: true, bin: '411111' },
  { code: 'visa_credit', scheme: 'visa', domestic: false, bin: '401288' },
  { code: 'mc_debit', scheme: 'mastercard', domestic: true, bin: '555555' },
  { code: 'mc_credit', scheme: 'mastercard', domestic: false, bin: '510510' },
  { code: 'amex', scheme: 'amex', domestic: false, bin: '378282' },
  { code: 'qr', scheme: 'qr', domestic: true, bin: null },
] as const;

const MCCS: readonly (readonly [string, string, MccTier])[] = [
  ['5411', 'Grocery stores, supermarkets', 'low'],
  ['5812', 'Eating places, restaurants', 'low'],
  ['5541', 'Service stations', 'low'],
  ['5912', 'Drug stores, pharmacies', 'low'],
  ['5651', 'Family clothing stores', 'low'],
  ['5942', 'Book stores', 'low'],
  ['7011', 'Hotels, motels, resorts', 'medium'],
  ['5944', 'Jewellery, watch, clock and silverware stores', 'medium'],
  ['5732', 'Electronics stores', 'medium'],
  ['4722', 'Travel agencies', 'medium'],
  ['7995', 'Betting, casino gaming', 'high'],
  ['6051', 'Quasi cash, non-financial institutions', 'high'],
  ['5967', 'Direct marketing, inbound teleservices', 'high'],
  ['4829', 'Money transfer', 'high'],
];
const HIGH: Readonly<Record<number, string>> = { 31: '7995', 14: '6051', 23: '5967', 36: '4829' };

/** Rates in millionths by template, in the order of CARD_TYPES; null = none. */
const TEMPLATES: readonly {
  readonly name: string;
  readonly currency: Currency;
  readonly rates: readonly (number | null)[];
}[] = [
  { name: 'Demo AED standard', currency: 'AED', rates: [11_000, 17_500, 11_000, 17_500, 27_500, 8_000] },
  { name: 'Demo AED reduced', currency: 'AED', rates: [9_500, 15_000, 9_500, 15_000, 25_000, 7_000] },
  { name: 'Demo AED high risk', currency: 'AED', rates: [24_500, 29_500, 24_500, 29_500, null, 15_000] },
  { name: 'Demo BHD standard', currency: 'BHD', rates: [12_000, 18_000, 12_000, 18_000, 28_000, null] },
  { name: 'Demo JPY standard', currency: 'JPY', rates: [20_000, 25_000, 20_000, 25_000, 30_000, null] },
];

export function buildMerchants(): Merchant[] {
  const tierOf = (mcc: string) => MCCS.find(([code]) => code === mcc)![2];
  const plain = MCCS.filter(([, , tier]) => tier !== 'high');
  const [low, medium] = [plain.filter((m) => m[2] === 'low'), plain.filter((m) => m[2] === 'medium')];
  const merchants: Merchant[] = [];
  let ordinary = 0;
  for (let number = 1; number <= 40; number++) {
    const currency: Currency = number === 40 ? 'JPY' : number >= 37 ? 'BHD' : 'AED';
    // Of the 36 that are not high risk every third is medium: 24 low, 12 medium.
    const turn = HIGH[number] ? 0 : ++ordinary;
    const mcc = HIGH[number] ?? (turn % 3 === 0 ? medium[(turn / 3) % medium.length]![0] : low[turn % low.length]![0]);
    const tier = tierOf(mcc);
    const template = currency === 'JPY' ? 5 : currency === 'BHD' ? 4 : tier === 'high' ? 3 : number % 4 === 0 ? 2 : 1;
    merchants.push({
      number,
      mid: `M${1000 + number}`,
      reference: `MRN-${1000 + number}`,
      currency,
      mcc,
      tier,
      template,
    });
  }
  return merchants;
}

/** The merchant's rate for a card type, in millionths; null where the template has none. */
export function ratePpm(merchant: Merchant, cardType: CardType): number | null {
  return TEMPLATES[merchant.template - 1]!.rates[CARD_TYPES.findIndex(({ code }) => code === cardType)] ?? null;
}

const KYC_METHODS = [
  'trade_license',
  'owner_id',
  'bank_account',
  'address',
  'sanctions_screening',
  'site_visit',
] as const;

export function mmsTables(calendar: DemoCalendar, merchants: readonly Merchant[]): Table[] {
  const rng = random('merchants');
  const long = new Date(calendar.asOf - 400 * DAY);
  const ago = (days: number) => new Date(calendar.asOf - days * DAY);
  const day = (days: number) => ago(days).toISOString().slice(0, 10);
  const two = (merchant: Merchant) => String(merchant.number).padStart(2, '0');
  const joined = merchants.map(() => rng.int(120, 1_400));

  const users = merchants.map((merchant, i) => [
    merchant.number,
    'active',
    'merchant_owner',
    `merchant${two(merchant)}@example.invalid`,
    'demo-no-hash',
    null,
    ago(rng.int(0, 20)),
    ago(joined[i]!),
  ]);
  const metadata = merchants.map((merchant, i) => [
    merchant.number,
    merchant.number,
    merchant.reference,
    merchant.mid,
    `Demo Merchant ${two(merchant)} LLC`,
    `Demo Merchant ${two(merchant)}`,
    merchant.mcc,
    merchant.tier,
    'active',
    day(joined[i]!),
    merchant.currency === 'JPY' ? '20000000' : String(rng.int(10, 90) * 10_000),
    merchant.currency,
    CURRENCIES[merchant.currency].country,
    merchant.currency === 'JPY' ? 'weekly' : 'daily',
    iban(merchant),
    ago(joined[i]!),
  ]);
  const kyc = merchants.flatMap((merchant, i) =>
    KYC_METHODS.map((method, m) => {
      const state = kycState(merchant, method, rng.int(1, 60));
      const submitted = Math.max(1, joined[i]! - rng.int(1, 20));
      return [
        i * KYC_METHODS.length + m + 1,
        merchant.number,
        method,
        method !== 'site_visit' || merchant.tier !== 'low',
        state.status,
        state.status === 'not_submitted' ? null : ago(submitted),
        state.status === 'approved' || state.status === 'rejected' ? ago(Math.max(0, submitted - 3)) : null,
        state.status === 'approved' ? ago(state.lapsed ? 12 : -200 - rng.int(0, 300)) : null,
        state.status === 'rejected' ? 'Site visit: the premises did not match the licence.' : null,
        ago(submitted),
      ];
    }),
  );
  const types = CARD_TYPES.map((type, i) => [i + 1, type.code, type.scheme, type.domestic, long]);
  const rates = TEMPLATES.flatMap((template, t) =>
    template.rates.flatMap((ppm, c) => (ppm === null ? [] : [[t + 1, c + 1, ppm, day(300), null] as const])),
  );
  // What the first template asked before the rates in force.
  const former = [1, 2, 3].map((type) => [1, type, 19_000, day(700), day(301)] as const);
  const assignments = merchants.map((merchant) => [merchant.mid, merchant.template, day(300), null] as const);
  const formerTemplates = ['M1004', 'M1008', 'M1012'].map((mid) => [mid, 1, day(700), day(301)] as const);
  const mccRates = MCCS.flatMap(([code, , tier]) =>
    [1, 2, 4].map((type) => [code, type, tier === 'high' ? 30_000 : tier === 'medium' ? 21_000 : 18_500] as const),
  );
  return [
    table('users', 'id status role email password_hash reset_token last_login_at', users),
    table(
      'user_metadata',
      'id user_id merchant_reference_number mid legal_name trade_name mcc_code risk_tier status onboarding_date expected_monthly_volume currency country_code settlement_frequency iban',
      metadata,
    ),
    table(
      'kyc_requests',
      'id user_id method required status submitted_at reviewed_at expires_at rejection_reason',
      kyc,
    ),
    table(
      'mccs',
      'code description risk_tier',
      MCCS.map((row) => [...row, long]),
    ),
    table('card_types', 'id code scheme domestic', types),
    table(
      'mdr_templates',
      'id name active valid_from valid_to currency',
      TEMPLATES.map((template, i) => [i + 1, template.name, true, day(700), null, template.currency, long]),
    ),
    table(
      'merchant_mdr_assignments',
      'id mid mdr_template_id valid_from valid_to',
      [...formerTemplates, ...assignments].map((row, i) => [i + 1, ...row, long]),
    ),
    table(
      'mdr_rates',
      'id mdr_template_id card_type_id rate valid_from valid_to',
      [...former, ...rates].map(([template, type, ppm, from, to], i) => [
        i + 1,
        template,
        type,
        fraction(ppm),
        from,
        to,
        long,
      ]),
    ),
    table(
      'mcc_mdr_rates',
      'id mcc_code card_type_id rate fixed_fee valid_from valid_to',
      mccRates.map(([mcc, type, ppm], i) => [i + 1, mcc, type, fraction(ppm), null, day(700), null, long]),
    ),
  ];
}

/** Looks like an IBAN and is none: the check digits are 00. */
function iban(merchant: Merchant): string | null {
  const { country } = CURRENCIES[merchant.currency];
  if (country === 'JP') return null;
  return country === 'AE'
    ? `AE00999${String(merchant.number).padStart(16, '0')}`
    : `BH00DEMO${String(merchant.number).padStart(14, '0')}`;
}

function kycState(merchant: Merchant, method: string, draw: number): { status: string; lapsed?: boolean } {
  if (merchant.mid === RISKY) {
    return { status: method === 'site_visit' ? 'rejected' : method === 'address' ? 'in_review' : 'approved' };
  }
  if (merchant.number === 9 && method === 'trade_license') return { status: 'approved', lapsed: true };
  if (draw === 1) return { status: 'submitted' };
  if (draw === 2) return { status: 'in_review' };
  if (draw === 3 && method === 'site_visit') return { status: 'not_submitted' };
  return { status: 'approved' };
}
