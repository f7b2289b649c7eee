import { type ApplicationFiles, defineGenerator, type GeneratorContext } from "framewright/generators";
import { errors } from "../errors.ts";

export default defineGenerator({
  name: "audit:policy",
  summary: "Let those who may update a record see its changes: canAudit() in its policy",
  example: "fw generate audit:policy Blogging::Post --dest=admin_portal",
  args: "<model>",
  options: { dest: { summary: "The portal whose policy it is; that of the model by default", value: "PORTAL" } },
  directory: import.meta.dirname,
  run({ args: [name = ""], options: { dest }, app, changes, note }) {
    const model = app.model(name).path;
    const portal = dest === undefined ? undefined : app.portal(dest);
    const path = policyPath(model, portal);
    const text = changes.read(path);
    if (text === undefined) throw errors.AUDIT_POLICY_MISSING(path);
    if (METHOD.test(text)) return note(`${path} has canAudit() already`);
    if (!/\n\}\s*$/.test(text)) throw errors.AUDIT_POLICY_SHAPE(path);
    const inherits = portal !== undefined && METHOD.test(changes.read(policyPath(model)) ?? "");
    changes.edit(path, (before) => before.replace(/\}\s*$/, `${method(inherits)}}\n`));
    if (portal === undefined) overrideBelow(model, app, changes);
    note(`\nNext: say in canAudit() of ${path} who may see the changes`);
  },
});

const METHOD = /\bcanAudit\s*\(/;
const method = (inherits: boolean): string => `  /** Whether the changes of this record may be seen. */
  ${inherits ? "override " : ""}canAudit() {
    return this.canUpdate();
  }
`;

/** The policies of portals extend that of the model: what they have of their own overrides it from now on. */
function overrideBelow(model: string, app: ApplicationFiles, changes: GeneratorContext["changes"]): void {
  for (const path of app.portals().map((portal) => policyPath(model, portal)))
    if (METHOD.test(changes.read(path) ?? ""))
      changes.edit(path, (text) => text.replace(/^( *)canAudit\(/m, "$1override canAudit("));
}

/** `app/models/blogging/post.ts` has `app/policies/blogging/post_policy.ts`, and one of each portal below its name. */
function policyPath(model: string, portal?: string): string {
  const own = model.replace("app/models/", "app/policies/").replace(/\.ts$/, "_policy.ts");
  if (portal === undefined) return own;
  return `packages/${portal}/app/policies/${portal}/${own.replace(/^.*app\/policies\//, "")}`;
}
