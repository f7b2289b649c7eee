import { type GeneratorContext, type ModelFile, usage } from "framewright/generators";
import { demodulize } from "framewright/host/inflection";

/** The model of the memberships by which a portal's tenants are entered; `flag` names the tenants. @throws FW_FLAG_VALUE */
export function membershipOf(
  { app, changes }: GeneratorContext,
  portal: string,
  entity: ModelFile,
  flag = "--entity",
): ModelFile {
  const concern = changes.read(`packages/${portal}/app/controllers/${portal}/concerns/controller.ts`) ?? "";
  const name = /\bMembers\(\s*(\w+)/.exec(concern)?.[1];
  const path = name && new RegExp(`^import ${name} from ["']#([^"']+)["']`, "m").exec(concern)?.[1];
  const found = app.models().find((model) => model.path === path);
  if (!found)
    throw usage.FW_FLAG_VALUE(
      "--portal",
      `a portal that is entered by memberships (fw:saas:portal); ${portal} is none`,
    );
  const engine = changes.read(`packages/${portal}/lib/engine.ts`) ?? "";
  if (!new RegExp(`scopeToEntity\\(\\s*${demodulize(entity.constant)}\\b`).test(engine))
    throw usage.FW_FLAG_VALUE(flag, `the model of the tenants of ${portal}; ${entity.constant} is not`);
  return found;
}
