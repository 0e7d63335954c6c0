/** The 40 merchants and everything merchant management knows of them: users, KYC, MDR. All of it is invented. */
import { DAY, type DemoCalendar, HOUR, iso } from './calendar.ts';
import type { Currency } from './money.ts';
import { Prng } from './prng.ts';
import { stamps, type TableRows, tableOf } from './rows.ts';

export const CARD_TYPES = [
  { id: 1, code: 'visa_debit', scheme: 'visa', domestic: true, bin: '411111' },
  { id: 2, code: 'visa_credit', scheme: 'visa', domestic: false, bin: '411111' },
  { id: 3, code: 'mc_debit', scheme: 'mastercard', domestic: true, bin: '555555' },
  { id: 4, code: 'mc_credit', scheme: 'mastercard', domestic: false, bin: '555555' },
  { id: 5, code: 'amex', scheme: 'amex', domestic: false, bin: '378282' },
  { id: 6, code: 'qr', scheme: 'qr', domestic: true, bin: '' },
] as const;
export type CardType = (typeof CARD_TYPES)[number]['code'];

const MCCS = [
  ['5411', 'Grocery stores and supermarkets', 'low', 'Grocery'],
  ['5812', 'Eating places and restaurants', 'low', 'Kitchen'],
  ['5912', 'Drug stores and pharmacies', 'low', 'Pharmacy'],
  ['5541', 'Service stations', 'low', 'Fuel'],
  ['5311', 'Department stores', 'low', 'Stores'],
  ['5651', 'Family clothing stores', 'low', 'Clothing'],
  ['5732', 'Electronics stores', 'medium', 'Electronics'],
  ['7011', 'Hotels, motels and resorts', 'medium', 'Hotel'],
  ['4722', 'Travel agencies and tour operators', 'medium', 'Travel'],
  ['5944', 'Jewelry, watch, clock and silverware stores', 'medium', 'Jewelry'],
  ['7995', 'Betting, including lottery tickets and chips', 'high', 'Gaming'],
  ['6051', 'Quasi cash', 'high', 'Exchange'],
] as const;
type Mcc = (typeof MCCS)[number];
const byTier = (tier: string): readonly Mcc[] => MCCS.filter((mcc) => mcc[2] === tier);

/** Rates in parts per million, by template and card type. The last one is for merchants without a template: the MCC's own. */
const TEMPLATES = [
  { id: 1, name: 'Standard AED', currency: 'AED', ppm: [11_000, 17_500, 11_500, 18_000, 26_000, 7_500] },
  { id: 2, name: 'Volume AED', currency: 'AED', ppm: [8_500, 14_250, 9_000, 14_750, 24_000, 6_000] },
  { id: 3, name: 'Standard BHD', currency: 'BHD', ppm: [10_000, 16_000, 10_500, 16_500, 25_000, 7_000] },
  { id: 4, name: 'Standard JPY', currency: 'JPY', ppm: [12_000, 19_000, 12_000, 19_000, 28_000, 8_000] },
] as const;

export interface Merchant {
  readonly number: number;
  /** Terminals and the switch know the merchant by it. */
  readonly mid: string;
  readonly reference: string;
  readonly currency: Currency;
  readonly mcc: string;
  readonly tier: 'low' | 'medium' | 'high';
  readonly templateId: number | null;
  readonly name: string;
}

const BHD = new Set([38, 39, 40]);
const JPY = 36;
/** 24 low, 12 medium, 4 high. */
const HIGH = new Set([9, 18, 27, 31]);
const MEDIUM = new Set([2, 5, 8, 11, 14, 17, 20, 23, 26, 29, 32, 35]);

export function buildMerchants(): Merchant[] {
  const prng = new Prng('merchants');
  return Array.from({ length: 40 }, (_, i) => {
    const n = i + 1;
    const tier = HIGH.has(n) ? 'high' : MEDIUM.has(n) ? 'medium' : 'low';
    const mcc = n === 31 ? (MCCS.find((row) => row[0] === '7995') ?? MCCS[10]) : prng.pick(byTier(tier));
    const currency: Currency = BHD.has(n) ? 'BHD' : n === JPY ? 'JPY' : 'AED';
    const own = { AED: n % 3 === 0 ? 2 : 1, BHD: 3, JPY: 4 }[currency];
    return {
      number: n,
      mid: `M${1000 + n}`,
      reference: `MRN-${String(1000 + n).padStart(6, '0')}`,
      currency,
      mcc: mcc[0],
      tier,
      templateId: currency === 'AED' && n % 4 === 0 ? null : own,
      name: `${prng.pick(['Palm', 'Harbour', 'Falcon', 'Oasis', 'Creek', 'Marina', 'Desert', 'Pearl'])} ${mcc[3]} ${1000 + n}`,
    };
  });
}

/** The rate a transaction is charged with, in parts per million: the merchant's template, else its MCC. */
export function rateOf(merchant: Merchant, cardType: CardType): number {
  const column = CARD_TYPES.findIndex((type) => type.code === cardType);
  const template = TEMPLATES.find((row) => row.id === merchant.templateId);
  return template?.ppm[column] ?? mccRate(merchant.mcc, column);
}

function mccRate(mcc: string, column: number): number {
  const extra = { low: 0, medium: 2_500, high: 12_500 }[MCCS.find((row) => row[0] === mcc)?.[2] ?? 'low'];
  return ([12_000, 18_500, 12_500, 19_000, 27_500, 8_500][column] ?? 0) + extra;
}

const fraction = (ppm: number) => `0.${String(ppm).padStart(6, '0')}`;

export function merchantTables(merchants: readonly Merchant[], calendar: DemoCalendar): TableRows[] {
  const prng = new Prng('mms');
  const since = iso(calendar.startOf(700));
  const stamp = stamps(since);
  const users = merchants.map((merchant) => ({
    id: 100 + merchant.number,
    status: 'active',
    role: 'merchant_owner',
    email: `owner${1000 + merchant.number}@demo-merchant.example`,
    password_hash: 'demo-not-a-hash',
    reset_token: null,
    last_login_at: iso(calendar.asOf - prng.int(1, 20) * DAY - prng.int(0, 23) * HOUR),
    ...stamp,
  }));
  const metadata = merchants.map((merchant) => ({
    id: merchant.number,
    user_id: 100 + merchant.number,
    merchant_reference_number: merchant.reference,
    mid: merchant.mid,
    legal_name: `${merchant.name} LLC`,
    trade_name: merchant.name,
    mcc_code: merchant.mcc,
    risk_tier: merchant.tier,
    status: 'active',
    onboarding_date: calendar.date(700 - merchant.number * 9),
    expected_monthly_volume: {
      AED: `${prng.int(4, 90)}0000.0000`,
      BHD: `${prng.int(4, 40)}000.0000`,
      JPY: '30000000.0000',
    }[merchant.currency],
    currency: merchant.currency,
    country_code: { AED: 'AE', BHD: 'BH', JPY: 'AE' }[merchant.currency],
    settlement_frequency: merchant.currency === 'JPY' ? 'weekly' : 'daily',
    // No bank has these: the letters DEMO stand where the bank code belongs.
    iban: `AE00DEMO00000000${String(1000 + merchant.number).padStart(6, '0')}`,
    ...stamp,
  }));
  const mccs = MCCS.map(([code, description, tier]) => ({ code, description, risk_tier: tier, ...stamp }));
  const cardTypes = CARD_TYPES.map(({ id, code, scheme, domestic }) => ({ id, code, scheme, domestic, ...stamp }));
  const templates = TEMPLATES.map(({ id, name, currency }) => ({
    id,
    name,
    active: true,
    valid_from: calendar.date(700),
    valid_to: null,
    currency,
    ...stamp,
  }));
  const assignments = merchants
    .filter((merchant) => merchant.templateId !== null)
    .map((merchant, i) => ({
      id: i + 1,
      mid: merchant.mid,
      mdr_template_id: merchant.templateId,
      valid_from: calendar.date(690),
      valid_to: null,
      ...stamp,
    }));
  const rates = TEMPLATES.flatMap((template) =>
    template.ppm.map((ppm, column) => ({
      id: template.id * 10 + column,
      mdr_template_id: template.id,
      card_type_id: column + 1,
      rate: fraction(ppm),
      fixed_fee: null,
      min_fee: null,
      max_fee: null,
      valid_from: calendar.date(690),
      valid_to: null,
      ...stamp,
    })),
  );
  const mccRates = MCCS.flatMap(([code], i) =>
    [0, 1, 3, 5].map((column) => ({
      id: i * 10 + column + 1,
      mcc_code: code,
      card_type_id: column + 1,
      rate: fraction(mccRate(code, column)),
      fixed_fee: null,
      valid_from: calendar.date(690),
      valid_to: null,
      ...stamp,
    })),
  );
  return [
    tableOf('users', users),
    tableOf('user_metadata', metadata),
    tableOf('kyc_requests', kycRows(merchants, calendar)),
    tableOf('mccs', mccs),
    tableOf('card_types', cardTypes),
    tableOf('mdr_templates', templates),
    tableOf('merchant_mdr_assignments', assignments),
    tableOf('mdr_rates', rates),
    tableOf('mcc_mdr_rates', mccRates),
  ];
}

const METHODS = ['trade_license', 'owner_id', 'bank_account', 'address', 'sanctions_screening', 'site_visit'] as const;

function kycRows(merchants: readonly Merchant[], calendar: DemoCalendar) {
  const prng = new Prng('kyc');
  return merchants.flatMap((merchant) =>
    METHODS.map((method, m) => {
      const story = merchant.number === 31;
      // Merchant 31: four of six approved, screening in review, the visit rejected.
      const status = story
        ? (({ sanctions_screening: 'in_review', site_visit: 'rejected' } as Record<string, string>)[method] ??
          'approved')
        : prng.weighted([
            ['approved', 92],
            ['in_review', 4],
            ['submitted', 2],
            ['not_submitted', 1],
            ['expired', 1],
          ]);
      const submitted = calendar.startOf(600 - merchant.number * 5) + m * DAY + prng.int(4, 12) * HOUR;
      const reviewed = ['approved', 'rejected', 'expired'].includes(status) ? submitted + prng.int(1, 6) * DAY : null;
      const expires = status === 'expired' ? calendar.startOf(12) : calendar.startOf(-200 - prng.int(0, 300));
      return {
        id: merchant.number * 10 + m,
        user_id: 100 + merchant.number,
        method,
        required: true,
        status,
        submitted_at: status === 'not_submitted' ? null : iso(submitted),
        reviewed_at: reviewed === null ? null : iso(reviewed),
        expires_at: reviewed === null || status === 'rejected' ? null : iso(expires),
        rejection_reason: status === 'rejected' ? 'premises closed at the agreed time of the visit' : null,
        ...stamps(iso(submitted), iso(reviewed ?? submitted)),
      };
    }),
  );
}
