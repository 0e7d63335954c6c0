import { ConfigError, loadConfig, printable } from '../config/load.ts';
import { loadProfiles } from '../config/profiles.ts';

/** Prints the effective configuration without secrets, or every reason why the gateway would not start. */
export function check(): number {
  try {
    const config = loadConfig();
    const profiles = loadProfiles(config.profiles.dir, config.profiles.deployment);
    process.stdout.write(
      `${JSON.stringify({ ...(printable(config) as object), effectiveProfiles: { version: profiles.version, roles: [...profiles.roles.keys()], deployment: profiles.deployment.name } }, null, 2)}\n`,
    );
    return 0;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const line of error.lines) process.stderr.write(`${line}\n`);
    return 78;
  }
}
