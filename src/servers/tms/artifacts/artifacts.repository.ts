import { and, desc, eq, sql } from 'drizzle-orm';
import type { Effect } from '../../../storage/connections.ts';
import {
  configArtifacts as artifacts,
  terminalParameters as parameters,
  parameterTemplates as templates,
} from '../../../storage/schema/product.ts';
import { utcNow } from '../../../storage/writer.ts';
import { type BuiltType, buildArtifact, mergeParameters, nextVersion, type Template } from './build.ts';
import type { ArtifactStore } from './store.ts';

/** Finding or building the file that a terminal should have. Runs inside an actuator's transaction, under the terminal's lock. */
export interface Addressee {
  readonly serialNumber: string;
  readonly vendor: string | null;
  readonly model: string | null;
  readonly group: string | null;
}

/** The newest active template for a terminal; one for its group beats one for all groups. Index (config_type, vendor, model, active). */
export async function templateFor(tx: Effect, type: BuiltType, terminal: Addressee): Promise<Template | null> {
  if (terminal.vendor === null || terminal.model === null) return null;
  const [row] = await tx
    .select({ id: templates.id, version: templates.version, content: templates.content })
    .from(templates)
    .where(
      and(
        eq(templates.configType, type),
        eq(templates.vendor, terminal.vendor),
        eq(templates.model, terminal.model),
        eq(templates.active, true),
        sql`(${templates.groupName} is null or ${templates.groupName} = ${terminal.group}::varchar)`,
      ),
    )
    .orderBy(sql`${templates.groupName} is null`, desc(templates.insertedAt), desc(templates.id))
    .limit(1);
  return row ?? null;
}

export interface Artifact {
  readonly id: number;
  readonly version: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly builtAt: string;
  /** The newest artifact still fits its source; nothing was built. */
  readonly unchanged: boolean;
  readonly files: readonly { readonly name: string; readonly size: number }[];
}

/**
 * The artifact that fits the template and the terminal's parameters now: the newest one when its source has not changed, else a new one. The file
 * is in the store before the row is in the transaction, so a row never names a file that is not there; an unchanged file that was lost is
 * written again. Errors: CONFLICT (cannot be built), DEPENDENCY_UNAVAILABLE (store).
 */
export async function currentArtifact(
  tx: Effect,
  store: ArtifactStore,
  wanted: {
    readonly serialNumber: string;
    readonly type: BuiltType;
    readonly template: Template;
    readonly builtBy: string;
  },
): Promise<Artifact> {
  const { serialNumber, type, template } = wanted;
  const own = await tx
    .select({ paramKey: parameters.paramKey, paramValue: parameters.paramValue })
    .from(parameters)
    .where(and(eq(parameters.serialNumber, serialNumber), eq(parameters.configType, type)))
    .orderBy(parameters.paramKey);
  const { content, sourceHash } = mergeParameters(type, template, own);
  const earlier = await tx
    .select({
      id: artifacts.id,
      version: artifacts.version,
      sha256: artifacts.sha256,
      sizeBytes: artifacts.sizeBytes,
      sourceHash: artifacts.sourceHash,
      builtAt: artifacts.builtAt,
    })
    .from(artifacts)
    .where(and(eq(artifacts.serialNumber, serialNumber), eq(artifacts.configType, type)))
    .orderBy(desc(artifacts.builtAt), desc(artifacts.id))
    .limit(1000);
  const newest = earlier[0];
  if (newest && newest.sourceHash === sourceHash) {
    const again = buildArtifact(type, { serialNumber, version: newest.version }, content);
    if (again.sha256 === newest.sha256) {
      await store.put(again.bytes);
      const { id, version, sha256, sizeBytes, builtAt } = newest;
      return { id, version, sha256, sizeBytes, builtAt, unchanged: true, files: again.files };
    }
  }
  const version = nextVersion(
    template.version,
    earlier.map((artifact) => artifact.version),
  );
  const built = buildArtifact(type, { serialNumber, version }, content);
  const { storageKey, sha256 } = await store.put(built.bytes);
  const [row] = await tx.insert(
    artifacts,
    {
      serialNumber,
      configType: type,
      version,
      sha256,
      sizeBytes: built.bytes.length,
      storageKey,
      sourceHash,
      builtAt: utcNow,
      builtBy: wanted.builtBy,
      insertedAt: utcNow,
      updatedAt: utcNow,
    },
    { returning: { id: artifacts.id, builtAt: artifacts.builtAt } },
  );
  if (!row) throw new TypeError('an insert without a row');
  return {
    id: row.id,
    version,
    sha256,
    sizeBytes: built.bytes.length,
    builtAt: row.builtAt,
    unchanged: false,
    files: built.files,
  };
}

/** Which of these storage keys a row names. For the sweep of the store. */
export async function namedStorageKeys(
  db: Pick<Effect, 'select'>,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const rows = await db
    .select({ key: artifacts.storageKey })
    .from(artifacts)
    .where(
      sql`${artifacts.storageKey} in (${sql.join(
        keys.map((key) => sql`${key}`),
        sql`, `,
      )})`,
    );
  return new Set(rows.map((row) => row.key));
}
