import { errors } from "../errors.ts";
import { ObjectionModel, raw } from "../packages.ts";

type Methods = Record<string, unknown>;

/**
 * Checks the private parts of objection that are used, when the plugin is applied. A name that a later
 * version has for it would be read as undefined, and what is built on it would let everything through.
 * @throws FW_DATABASE_PRIVATE
 */
export function checkObjection(): void {
  class Probe extends ObjectionModel {
    static override tableName = "probes";
    override $validate(json?: object): object {
      return json ?? {}; // the validator would load ajv
    }
  }
  const query = Probe.query().where("id", 1) as unknown as { _operations?: { name?: unknown }[] };
  requirePrivate("objection", "the list _operations of a query", query._operations?.[0]?.name === "where");
  const insert = Probe.query().insert([{}, {}] as never) as unknown as { _operations: { models?: unknown[] }[] };
  requirePrivate("objection", "models of an insert", insert._operations[0]?.models?.length === 2);
  Probe.getRelations();
  for (const kept of ["$$relationMappings", "$$relations", "$$relationNames"])
    requirePrivate("objection", `${kept} of a class`, kept === "$$relations" || Object.hasOwn(Probe, kept));
  const { $$queryProps: given } = Probe.fromJson({ id: raw("1") }) as { $$queryProps?: Methods };
  requirePrivate("objection", "$$queryProps of a record", given?.id !== undefined);
  requirePrivate("objection", "Model.ensureModel", typeof (Probe as unknown as Methods).ensureModel === "function");
  for (const name of ["toFindQuery", "runBefore", "isUpdate", "executeOnBuild", "isPartial", "clone"])
    requirePrivate("objection", `${name} of a query`, typeof (query as unknown as Methods)[name] === "function");
}

/** Checks that a class of a package has the methods that ours override. @throws FW_DATABASE_PRIVATE */
export function checkMethods(packageName: string, cls: unknown, names: readonly string[]): void {
  const prototype = (cls as { prototype?: Methods } | undefined)?.prototype;
  for (const name of names) requirePrivate(packageName, `${name}()`, typeof prototype?.[name] === "function");
}

export function requirePrivate(packageName: string, what: string, isThere: boolean): void {
  if (!isThere) throw errors.FW_DATABASE_PRIVATE(packageName, what);
}
