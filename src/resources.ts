import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import type { Config } from './config/schema.ts';
import { businessCalendar } from './kit/business-calendar.ts';
import type { Resources } from './kit/context.ts';
import { cursors } from './kit/cursor.ts';
import { ToolError } from './kit/errors.ts';
import type { Outbox } from './messaging/index.ts';
import type { Calculations } from './servers/neqsim/calculations.ts';
import { artifactStore } from './servers/tms/artifacts/store.ts';
import { COMMAND_TYPES } from './servers/tms/commands.ts';
import type { Connections } from './storage/connections.ts';

interface Scope {
  readonly signal: AbortSignal;
  readonly callId: string;
}

/**
 * What tools may name in `needs`, and how each is made for one call. A tool gets what it names and nothing else.
 * A resource that this set-up does not have answers DEPENDENCY_UNAVAILABLE when a call asks for it.
 */
export function createResources(parts: {
  readonly connections: Connections;
  readonly config: Config;
  readonly outbox: Outbox | null;
  readonly calculations: Calculations;
}): (needs: readonly (keyof Resources)[], scope: Scope) => Partial<Resources> {
  const { connections, config, outbox, calculations } = parts;
  const { payments, tms } = config;
  const calendar = businessCalendar(payments.businessTimeZone, payments.cutover);
  // Without a configured key pages end with the process; replicas that share clients need one key.
  const pages = cursors(payments.cursorKey ?? randomBytes(32));
  const artifacts = artifactStore(resolve(payments.artifactDir ?? join(config.dataDir, 'artifacts')));
  const tmsSettings: Resources['tmsSettings'] = {
    keysConfigTrigger: tms.keysConfigTrigger,
    commandTypes: COMMAND_TYPES,
    deploy: {
      floor: tms.deploy.t3Floor,
      cap: tms.deploy.t3Cap,
      fraction: tms.deploy.t3Fraction,
      windowHours: tms.deploy.windowH,
      alwaysForTiers: tms.deploy.t3AlwaysForTiers,
    },
  };
  const make: { readonly [K in keyof Resources]: (scope: Scope) => Resources[K] } = {
    product: ({ signal }) => connections.reader('product', signal),
    settlement: ({ signal }) => connections.reader('settlement', signal),
    risk: ({ signal }) => connections.reader('risk', signal),
    mms: ({ signal }) => connections.reader('mms', signal),
    outbox: () => {
      if (!outbox) throw new ToolError('DEPENDENCY_UNAVAILABLE', { message: 'No MQTT broker is configured.' });
      return outbox;
    },
    calendar: () => calendar,
    cursors: () => pages,
    artifacts: () => artifacts,
    tmsSettings: () => tmsSettings,
    calculations: () => calculations,
  };
  return (needs, scope) => Object.fromEntries(needs.map((need) => [need, make[need](scope)]));
}
