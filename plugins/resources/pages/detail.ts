import { localeOf, raw, type SafeHtml } from "framewright/host";
import type { BaseModel } from "framewright/plugins/database";
import { displayWords } from "framewright/plugins/fields";
import type { Attribute } from "../definition/attributes.ts";
import { type Cell, cellOf, templatesOf } from "../entry/cells.ts";
import { recordEntry } from "../entry/record_entry.ts";
import { valueLabels } from "../registration/resource_texts.ts";
import type { ResourceRequest } from "../request.ts";

/** How an attribute is shown on records' pages. */
export function compiledDetail(controller: ResourceRequest, attribute: Attribute): Cell {
  const { registration, request } = controller;
  return cellOf(attribute, {
    words: displayWords((key) => controller.t(key), localeOf(request.locale)),
    labelsOf: (name: string) => valueLabels(controller, registration, name),
    render: templatesOf(controller),
  });
}

/** How one attribute is shown on a record's page. */
export const detailOf = (controller: ResourceRequest, attribute: Attribute, record: BaseModel): SafeHtml =>
  raw(compiledDetail(controller, attribute)(recordEntry(controller, record)));
