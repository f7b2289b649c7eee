import { renderTemplate } from "../../../../generators/toolkit/index.ts";
import type { OpenApiDocument } from "../../contract.ts";
import { callsOf } from "./calls.ts";
import { Methods } from "./methods.ts";
import { clientName, property, typeName } from "./names.ts";
import { split } from "./split.ts";
import { comment, typeOf } from "./types.ts";

/** What a client's file says of itself. */
export interface ClientFile {
  /** What it is named after: `shop_portal` has a `ShopClient`. */
  readonly name: string;
  /** The command that writes it again. */
  readonly command: string;
}

/** The text of a client for what a document describes: one file without dependencies. */
export function clientText(document: OpenApiDocument, { name, command }: ClientFile): string {
  const { base, calls, signIn, refresh } = callsOf(document);
  const methods = new Methods(document, base);
  const written = calls
    .flatMap((call) => split(call, calls))
    .map((call) => methods.of(call))
    .join("\n\n");
  const schemas = Object.entries(document.components.schemas).map(
    ([schemaName, schema]) =>
      `${comment(String(schema.description ?? ""))}export type ${typeName(schemaName)} = ${typeOf(schema)};`,
  );
  const parameters = [...base.matchAll(/\{([^}]+)\}/g)].map(([, one]) => one!);
  const at = base.replaceAll(/\{([^}]+)\}/g, (_, one: string) =>
    /^\w+$/.test(one) ? `\${options.${one}}` : `\${options[${JSON.stringify(one)}]}`,
  );
  return renderTemplate(import.meta.dirname, "client", {
    command,
    title: document.info.title,
    version: document.info.version,
    name: clientName(name),
    base: parameters.length === 0 ? JSON.stringify(base) : `path\`${at}\``,
    base_parameters: parameters.map(property),
    sign_in: signIn ?? false,
    refresh: refresh ?? false,
    types: [...schemas, ...methods.types].join("\n\n"),
    methods: written,
  });
}
