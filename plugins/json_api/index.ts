import { checkOptions, definePlugin, option, type Plugin } from "framewright/kernel";
import type {} from "framewright/plugins/resources";
import { completeAnswer } from "./answer.ts";
import { describeAnswers } from "./describe_answers.ts";

declare module "framewright/kernel" {
  interface Slots {
    json_api: {};
  }
}

/** Options of `jsonApi()`. */
export interface JsonApiOptions {
  /** How many associations a request may include, those within others among them; 5 by default. */
  includes?: number;
  /** How many records of an association to many are included with each record; 20 by default. */
  rows?: number;
}

/**
 * Parameters and headers for the JSON of lists and records: `include=author,comments` reads related records along, `columns=title`
 * leaves attributes of a record out, and the header `Link` leads from page to page of a list.
 */
export function jsonApi({ includes = 5, rows = 20, ...rest }: JsonApiOptions = {}): Plugin {
  checkOptions("jsonApi", { includes, rows, ...rest }, { includes: option.positive, rows: option.positive });
  return definePlugin({
    name: "json_api",
    requires: ["host", "database", "resources"],
    provides: "json_api",
    apply({ services: { resources }, hooks }) {
      const limits = { includes, rows };
      hooks.resources.json.tapPromise("json_api", async (answer) => completeAnswer(answer, limits));
      if (hooks.openapi) describeAnswers(hooks.openapi, resources.registry, limits);
    },
  });
}
