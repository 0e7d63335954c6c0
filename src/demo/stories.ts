import type { JsonObject, JsonValue } from '../kit/index.ts';
import { NEW_PACKAGE } from './seed/packages.ts';

/**
 * The first calls that show the planted stories through the gateway, for a self-test. Stories of servers that are not there yet are not
 * listed.
 */
export interface StoryCall {
  readonly story: number;
  readonly server: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly expect: {
    readonly status: 'success' | 'approval_required';
    /** JSON pointers (RFC 6901) into `data`, and what must stand there. */
    readonly data: Readonly<Record<string, JsonValue>>;
  };
}

export const STORY_CALLS: readonly StoryCall[] = [
  {
    story: 1,
    server: 'tms',
    tool: 'get_terminal',
    arguments: { serial_number: 'NV5-000137' },
    expect: {
      status: 'success',
      data: {
        '/terminal/status': 'offline',
        '/terminal/parameter_version': '4.2.0',
        '/terminal/merchant_id': 'M1007',
        '/terminal/tid': 'T0000137',
        '/terminal/group': 'pilot',
      },
    },
  },
  {
    story: 1,
    server: 'tms',
    tool: 'get_push_outcome_stats',
    arguments: { filters: { version: '4.2.0' }, group_by: ['group'] },
    expect: {
      status: 'success',
      data: { '/rows/0/key/group': 'pilot', '/rows/0/total': 10, '/rows/0/succeeded': 10, '/totals/total': 10 },
    },
  },
  {
    story: 18,
    server: 'tms',
    tool: 'deploy_app_package',
    arguments: { serial_number: 'NV5-000101', package_id: NEW_PACKAGE, config_id: 2 },
    expect: {
      status: 'approval_required',
      data: { '/tier': 'T3', '/required_approvals': 2, '/preconditions/cohort_size': 6, '/preconditions/threshold': 5 },
    },
  },
  {
    story: 19,
    server: 'tms',
    tool: 'get_terminal',
    arguments: { serial_number: '端末-0007' },
    expect: {
      status: 'success',
      data: { '/terminal/serial_number': '端末-0007', '/terminal/status': 'online', '/terminal/model': 'K200' },
    },
  },
  {
    story: 19,
    server: 'tms',
    tool: 'trigger_config_push',
    arguments: { serial_number: '端末-0007', config_type: 'parameter' },
    expect: { status: 'success', data: { '/serial_number': '端末-0007', '/duplicate': false } },
  },
  {
    story: 20,
    server: 'tms',
    tool: 'trigger_config_push',
    arguments: { serial_number: 'NV5-000101', config_type: 'emv_config' },
    expect: { status: 'success', data: { '/config_type': 'emv_config', '/terminal_status': 'online' } },
  },
];
