import { camelize, type Route } from "framewright/host";
import type { TapOnly } from "framewright/kernel";
import { kindOf as fieldKindOf } from "framewright/plugins/fields/rows";
import type { DescribedOperation, DescribedRoute, OpenApiHooks, Operation, Schema } from "framewright/plugins/openapi";
import type { FieldSpec, StepSpec } from "./contract/index.ts";
import type { DrawnMount, Mounts } from "./mounts/mount.ts";
import { shortNameOf } from "./mounts/wizard_class.ts";
import { kindOf } from "./options.ts";

const text: Schema = { type: "string" };
const described = ["launchWizard", "wizardStep", "advanceWizard", "wizardCompleted"] as const;
type Described = (typeof described)[number];

/** Describes the wizards of a portal in documents of OpenAPI: launching one, reading a step, answering it, and what came of it. */
export function describeWizards(hook: TapOnly<OpenApiHooks>["operation"], mounts: Mounts): void {
  hook.tap("wizards", (one) => {
    const { route } = one;
    if (!mounts.isWizardRoute(route)) return undefined;
    const page = described.find((name) => name === (route.action as { name?: string }).name);
    return page ? mountsAt(mounts, one).flatMap((mount) => operationOf(one, mount, page)) : [];
  });
}

/** The wizards that a route serves which the reader of the document may launch, but for those below the record of another resource. */
function mountsAt(mounts: Mounts, { route, about, parts }: DescribedRoute): DrawnMount[] {
  if (!about) return mounts.routeMountsOf(parts.portal).filter(({ at }) => isBelow(route, `/${at}`));
  const { registration, parent } = about;
  if (parent) return [];
  const isOnRecord = route.pattern.slice(0, route.pattern.indexOf("/wizards/")).endsWith("/:id");
  return mounts.all.filter(
    ({ kind, owner, resource, onRecord, policy, key }) =>
      kind === "resource" &&
      owner === parts.portal &&
      resource === registration.constant &&
      (onRecord && !registration.singular) === isOnRecord &&
      parts.may(registration, policy ?? key!),
  );
}
/** Whether a route is that of a wizard's own path. */
const isBelow = ({ pattern }: Route, at: string): boolean =>
  [at, ...["", "/:token"].flatMap((token) => [`${at}${token}/:step`, `${at}${token}/completed`])].includes(pattern);

function operationOf(
  { path, parts, route }: DescribedRoute,
  { wizard, name, key }: DrawnMount,
  page: Described,
): DescribedOperation[] {
  const isTokened = kindOf(wizard) === "tokened";
  if (page !== "launchWizard" && route.parameters.includes("token") !== isTokened) return [];
  const noun = camelize(shortNameOf(name)).replace(/Wizard$/, "");
  const title = wizard.metadata.presents.label ?? noun.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, " ");
  const steps = wizard.flow.steps.map((step) => step.key);
  const at = key === undefined ? path : path.replace("{wizard_name}", key);
  const step: Schema = { name: "step", in: "path", required: true, schema: { type: "string", enum: steps } };
  const moved = { 303: { description: "The step that is next, or where the wizard ended.", headers: location } };
  const shown = parts.json(
    "The step.",
    parts.schema("WizardStep", () => stepAnswer),
  );
  const own = (id: string, more: Omit<Operation, "operationId" | "tags">): DescribedOperation[] => [
    {
      path: `${at}.json`,
      verb: page === "advanceWizard" ? "post" : "get",
      operation: { operationId: parts.operationId(id), ...more },
    },
  ];
  if (page === "launchWizard")
    return own(`start${noun}`, {
      summary: `Start or continue: ${title}`,
      ...(wizard.metadata.presents.description ? { description: wizard.metadata.presents.description } : {}),
      "x-stores": true,
      responses: parts.answers({ 200: shown, ...moved }, { record: true }),
    });
  if (page === "wizardCompleted")
    return own(`get${noun}Outcome`, {
      summary: `Read what came of ${title}`,
      responses: parts.answers(
        {
          200: parts.json(
            "How it ended.",
            parts.schema("WizardOutcome", () => outcome),
          ),
          ...moved,
        },
        { record: true },
      ),
    });
  if (page === "wizardStep")
    return own(`get${noun}Step`, {
      summary: `Read a step of ${title}`,
      parameters: [step],
      responses: parts.answers({ 200: shown, ...moved }, { record: true }),
    });
  return own(`answer${noun}Step`, {
    summary: `Answer a step of ${title}`,
    description: "The last step carries the wizard out.",
    parameters: [step],
    requestBody: { content: { "application/json": { schema: bodyOf(wizard.flow.steps) } } },
    responses: parts.answers({ 200: shown, ...moved }, { body: true, record: true, conflict: true, invalid: true }),
  });
}

const location: Schema = { Location: { description: "Its address.", schema: text } };
const stepAnswer: Schema = {
  type: "object",
  required: ["data"],
  properties: {
    data: {
      type: "object",
      required: ["wizard", "run", "step", "steps", "values"],
      properties: {
        wizard: text,
        run: { ...text, description: "The id of the run." },
        step: text,
        steps: { type: "array", items: { type: "object", additionalProperties: true } },
        values: { type: "object", description: "The answers so far, without passwords.", additionalProperties: true },
      },
      additionalProperties: true,
    },
  },
};

const outcome: Schema = {
  type: "object",
  required: ["data"],
  properties: {
    data: {
      type: "object",
      required: ["wizard", "state", "message"],
      properties: { wizard: text, state: text, message: { type: ["string", "null"] } },
    },
  },
};

/** The answers of one of the steps, and where it goes on. */
function bodyOf(steps: readonly StepSpec[]): Schema {
  const answers = steps
    .filter(({ review }) => review === undefined)
    .map(({ key, fields }) => ({ title: key, ...objectOf(fields) }));
  return {
    type: "object",
    properties: {
      wizard: {
        description: "The answers, by their names.",
        anyOf: [...answers, { type: "object", maxProperties: 0 }],
      },
      _direction: { type: "string", enum: ["next", "back", "review", "cancel"], default: "next" },
    },
  };
}

const objectOf = (fields: readonly FieldSpec[]): Schema => ({
  type: "object",
  properties: Object.fromEntries(fields.map((field) => [field.name, schemaOf(field)])),
});

function schemaOf(field: FieldSpec): Schema {
  if (field.type === "group") return objectOf(field.fields);
  if (field.type === "repeated") return { type: "array", items: objectOf(field.fields) };
  if (fieldKindOf(field).isFile) return { description: "A file, which JSON has no place for.", ...text };
  if (field.type === "boolean") return { type: "boolean" };
  const { choices } = field.options as { choices?: unknown };
  const isListed = Array.isArray(choices) && choices.every((one) => typeof one === "string");
  return isListed
    ? { type: "string", enum: choices }
    : { type: ["string", "number", "boolean", "array", "object", "null"] };
}
