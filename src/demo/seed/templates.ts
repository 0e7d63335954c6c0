import { createHash } from 'node:crypto';
import { DAY, type DemoCalendar } from './calendar.ts';
import { type Table, table } from './copy.ts';
import { CURRENCIES } from './money.ts';
import type { Terminal } from './terminals.ts';

/** Parameter templates with invented contents that build, and what single terminals have of their own. */
export const PARAMETER = { old: '4.1.2', current: '4.1.3', pilot: '4.2.0' } as const;
export const EMV = { old: '7.2.1', current: '7.3.0' } as const;

const MODELS = [
  ['Novapos', 'N5'],
  ['Novapos', 'N7'],
  ['Kestrel', 'K200'],
] as const;

interface Template {
  readonly id: number;
  readonly name: string;
  readonly vendor: string;
  readonly model: Terminal['model'];
  readonly group: string | null;
  readonly type: 'parameter' | 'emv_config';
  readonly version: string;
  readonly active: boolean;
}

const TEMPLATES: readonly Template[] = [
  ...MODELS.flatMap(([vendor, model]) => [
    { vendor, model, group: null, type: 'parameter', version: PARAMETER.old, active: false } as const,
    { vendor, model, group: null, type: 'parameter', version: PARAMETER.current, active: true } as const,
    { vendor, model, group: null, type: 'emv_config', version: EMV.old, active: false } as const,
    { vendor, model, group: null, type: 'emv_config', version: EMV.current, active: true } as const,
  ]),
  {
    vendor: 'Novapos',
    model: 'N5',
    group: 'pilot',
    type: 'parameter',
    version: PARAMETER.pilot,
    active: true,
  } as const,
].map((template, i) => ({
  ...template,
  id: i + 1,
  name: `Demo ${template.model} ${template.type === 'parameter' ? 'parameters' : 'EMV'} ${template.version}${template.group ? ` (${template.group})` : ''}`,
}));

export function templateId(model: Terminal['model'], type: string, version: string): number | null {
  return TEMPLATES.find((one) => one.model === model && one.type === type && one.version === version)?.id ?? null;
}

export function templateTables(calendar: DemoCalendar, terminals: readonly Terminal[]): Table[] {
  const templates = TEMPLATES.map(({ id, name, vendor, model, group, type, version, active }) => [
    id,
    name,
    vendor,
    model,
    group,
    type,
    version,
    JSON.stringify(type === 'parameter' ? parameterContent(version) : emvContent()),
    active,
    new Date(calendar.asOf - (group === 'pilot' ? 3 : active ? 22 : 120) * DAY),
  ]);
  const made = new Date(calendar.asOf - 90 * DAY);
  const parameters = terminals.flatMap((terminal) =>
    [
      ['parameter', 'tid', terminal.tid, false],
      ['parameter', 'receipt_header', `Demo Merchant ${String(terminal.merchant.number).padStart(2, '0')}`, false],
      ['parameter', 'currency', terminal.merchant.currency, false],
      ['parameter', 'host_access_word', `demo-word-${terminal.number}`, true],
      ...(terminal.merchant.currency === 'AED' ? [] : emvOf(terminal)),
    ].map((row) => [terminal.serial, ...row]),
  );
  return [
    table('parameter_templates', 'id name vendor model group_name config_type version content active', templates),
    table(
      'terminal_parameters',
      'id serial_number config_type param_key param_value is_secret',
      parameters.map((row, i) => [i + 1, ...row, made]),
    ),
  ];
}

function emvOf(terminal: Terminal): (string | boolean)[][] {
  const { numeric, exponent } = CURRENCIES[terminal.merchant.currency];
  return [
    // The numeric codes of these countries and of their currencies are the same.
    ['emv_config', 'terminal.9F1A', numeric.padStart(4, '0'), false],
    ['emv_config', 'terminal.5F2A', numeric.padStart(4, '0'), false],
    ['emv_config', 'terminal.5F36', String(exponent).padStart(2, '0'), false],
  ];
}

function parameterContent(version: string) {
  return {
    host: 'switch.example.invalid',
    port: 5000,
    heartbeat_seconds: version === PARAMETER.pilot ? 3600 : 300,
    receipt_footer: 'Demo: not a receipt',
    tip_allowed: false,
    offline_limit: '0.00',
    keep_alive: version !== PARAMETER.pilot,
  };
}

function emvContent() {
  const modulus = createHash('sha512').update('demo modulus, no real key').digest('hex').toUpperCase().repeat(2);
  const capk = (rid: string, index: string) => {
    const key = { rid, index, modulus, exponent: '03' };
    const sum = createHash('sha1')
      .update(Buffer.from(`${rid}${index}${modulus}03`, 'hex'))
      .digest('hex')
      .toUpperCase();
    return { ...key, sha1: sum, expiry: '2031-12-31' };
  };
  const aid = (name: string, kernel: string) => ({
    aid: name,
    kernel,
    application_version: '008C',
    tac_default: 'DC4000A800',
    tac_denial: '0010000000',
    tac_online: 'DC4004F800',
    floor_limit: '00000000',
    contactless_limit: '30000',
    cvm_limit: '30000',
    no_oda_limit: '0',
    ddol: '9F3704',
    tdol: '',
  });
  return {
    terminal: { '9F35': '22', '9F33': 'E0F8C8', '9F40': 'F000F0A001', '9F1A': '0784', '5F2A': '0784', '5F36': '02' },
    aids: [aid('A0000000031010', 'C3'), aid('A0000000041010', 'C2')],
    capks: [capk('A000000003', '92'), capk('A000000004', 'F1')],
    exclusions: [] as string[],
  };
}
