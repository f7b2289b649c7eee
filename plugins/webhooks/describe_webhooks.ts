import type { TapOnly } from "framewright/kernel";
import type {
  DescribedOperation,
  DescribedRoute,
  DocumentParts,
  OpenApiHooks,
  Schema,
} from "framewright/plugins/openapi";
import type { WebhookRoute, WebhookRoutes } from "./pages/routes.ts";

const text: Schema = { type: "string" };
const openText: Schema = { type: ["string", "null"] };
const instant: Schema = { type: "string", format: "date-time" };
const openInstant: Schema = { type: ["string", "null"], format: "date-time" };
const whole: Schema = { type: "integer" };

const objectOf = (properties: Readonly<Record<string, Schema>>, required = Object.keys(properties)): Schema => ({
  type: "object",
  required,
  properties,
});

const webhook = objectOf({
  id: whole,
  url: text,
  description: openText,
  events: { type: "array", items: text },
  state: { type: "string", enum: ["enabled", "disabled"] },
  disabled: { type: ["string", "null"], enum: ["person", "gone", "failing", null] },
  failing_since: openInstant,
  withheld: { anyOf: [objectOf({ at: instant, reason: text }), { type: "null" }] },
  earlier_secret_until: openInstant,
  person: { ...text, description: "Whose rights decide what is sent." },
  own: { type: "boolean" },
  created_at: instant,
});
const delivery = objectOf({
  id: whole,
  message: { ...text, description: "The header `webhook-id` of each attempt." },
  event: text,
  model: openText,
  record: openText,
  state: { type: "string", enum: ["waiting", "delivered", "withheld", "dead"] },
  reason: openText,
  attempts: whole,
  next_at: openInstant,
  created_at: instant,
  finished_at: openInstant,
});
const attempt = objectOf(
  { at: instant, status: { type: ["integer", "null"] }, failure: openText, milliseconds: whole, answer: openText },
  ["at", "status", "failure", "milliseconds"],
);
const fields: Readonly<Record<string, Schema>> = {
  url: { type: "string", format: "uri", maxLength: 1000 },
  description: { type: ["string", "null"], maxLength: 255 },
  events: {
    type: "array",
    items: text,
    minItems: 1,
    description: "Names of events: `meta.events` of the list has them.",
  },
};

/** Describes the JSON of webhooks in documents of OpenAPI. */
export function describeWebhooks(hooks: TapOnly<OpenApiHooks>, routes: WebhookRoutes): void {
  hooks.operation.tap("webhooks", (described) => {
    const name = routes.nameOf(described.route);
    if (name === undefined) return undefined;
    return described.parts.isSignedIn ? [describe(name, described)] : [];
  });
}

function describe(name: WebhookRoute, { route, parts }: DescribedRoute): DescribedOperation {
  const { summary, status = 200, description, data, meta, body } = operationsOf(parts)[name];
  const answer = objectOf({ data, ...(meta ? { meta } : {}) });
  const isList = !route.pattern.includes(":webhook_id");
  const kinds = { ...(body ? { body: true, invalid: true } : {}), ...(isList ? {} : { record: true }) };
  const conflict = ["create", "test", "replay", "replayDead"].includes(name);
  const verb = route.verb.toLowerCase() as DescribedOperation["verb"];
  return {
    verb,
    operation: {
      operationId: parts.operationId(`webhooks${name[0]!.toUpperCase()}${name.slice(1)}`),
      summary,
      tags: ["Webhooks"],
      ...(verb === "get" && name === "show" ? { parameters: [before] } : {}),
      ...(body ? { requestBody: { required: true, content: { "application/json": { schema: body } } } } : {}),
      responses: parts.answers({ [status]: parts.json(description, answer) }, { ...kinds, conflict }),
    },
  };
}

const before: Schema = { name: "before", in: "query", schema: whole, description: "`meta.next` of the page before." };

interface Described {
  readonly summary: string;
  readonly status?: number;
  readonly description: string;
  readonly data: Schema;
  readonly meta?: Schema;
  readonly body?: Schema;
}

function operationsOf(parts: DocumentParts): Readonly<Record<WebhookRoute, Described>> {
  const one = parts.schema("Webhook", () => webhook);
  const sent = parts.schema("WebhookDelivery", () => delivery);
  const withSecret = { allOf: [one, objectOf({ secret: { ...text, description: "In this answer alone." } })] };
  const withDeliveries = { allOf: [one, objectOf({ deliveries: { type: "array", items: sent } })] };
  const withTries = { allOf: [sent, objectOf({ tries: { type: "array", items: attempt } })] };
  const count = objectOf({ sent: whole });
  const limits = objectOf({ limit: whole, events: { type: "array", items: text } });
  const again = { status: 202, description: "It is sent soon.", data: count };
  return {
    list: { summary: "List webhooks", description: "The webhooks.", data: { type: "array", items: one }, meta: limits },
    create: {
      summary: "Create a webhook",
      status: 201,
      description: "The webhook with its secret.",
      data: withSecret,
      body: objectOf(fields, ["url", "events"]),
    },
    show: {
      summary: "Read a webhook and what it sent",
      description: "The webhook with what it sent, the newest first.",
      data: withDeliveries,
      meta: objectOf({ next: { type: ["integer", "null"] } }),
    },
    update: { summary: "Change a webhook", description: "The webhook.", data: one, body: objectOf(fields, []) },
    remove: { summary: "Delete a webhook", description: "It is deleted.", data: { type: "null" } },
    rotate: {
      summary: "Give a webhook a new secret",
      status: 201,
      description: "The webhook with its new secret; the earlier one is valid for 24 hours.",
      data: withSecret,
    },
    enable: { summary: "Enable a webhook", description: "The webhook.", data: one },
    disable: { summary: "Disable a webhook", description: "The webhook.", data: one },
    test: { summary: "Send a test event", ...again },
    replayDead: { summary: "Send all dead messages of a webhook again", ...again },
    delivery: { summary: "Read a message and its attempts", description: "The message.", data: withTries },
    replay: { summary: "Send a message again", ...again },
  };
}
