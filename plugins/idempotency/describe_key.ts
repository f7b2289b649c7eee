import type { TapOnly } from "framewright/kernel";
import type { OpenApiHooks } from "framewright/plugins/openapi";

/** Describes the header in documents of OpenAPI: each POST takes it. */
export function describeKey(hook: TapOnly<OpenApiHooks>["document"]): void {
  hook.tap("idempotency", ({ document, parts }) => {
    const key = parts.parameter("IdempotencyKey", () => ({
      name: "Idempotency-Key",
      in: "header",
      description: "The same for each time that this request is sent: it is carried out once, and answered alike.",
      schema: { type: "string", minLength: 1, maxLength: 255 },
    }));
    for (const item of Object.values(document.paths)) {
      if (!item.post) continue;
      const { parameters = [], responses } = item.post;
      const others = parts.answers({}, { conflict: true, invalid: true, body: true });
      const created = { description: "It was carried out before, and its answer is lost: the record is there." };
      item.post = {
        ...item.post,
        parameters: [...parameters, key],
        responses: { ...others, 303: created, ...responses },
      };
    }
  });
}
