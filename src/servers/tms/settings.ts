/** What the operator may set for this server. */
export interface TmsSettings {
  /** `keys_config` asks the terminal to run its own key check (`notify_only`), or is refused (`blocked`). */
  readonly keysConfigTrigger: 'notify_only' | 'blocked';
  readonly deploy: DeployRules;
  /** Commands that `send_mqtt_command` may send; a subset of those this release knows. */
  readonly commandTypes: readonly string[];
}

export interface DeployRules {
  readonly floor: number;
  readonly cap: number;
  /** Share of the active terminals of the package's vendor and model, 0 to 1. */
  readonly fraction: number;
  readonly windowHours: number;
  /** Terminal tiers whose deployments always need two approvals. */
  readonly alwaysForTiers: readonly string[];
}

declare module '../../kit/context.ts' {
  interface Resources {
    tmsSettings: TmsSettings;
  }
}
