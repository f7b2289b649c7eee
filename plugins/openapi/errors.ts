import { didYouMean, errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_OPENAPI_PORTAL: (name: string, known: readonly string[], meant: string | undefined) =>
    `there is no portal with resources "${name}"${didYouMean(meant)}. There ${known.length === 1 ? "is" : "are"} ${known.join(", ") || "none"}.`,
  FW_OPENAPI_OPEN_TENANT: (portal: string) =>
    `openapi({ open: ["${portal}"] }) opens a portal of tenants, which nobody enters without an account. Take it out of the list; fw openapi --portal writes the document to a file.`,
  FW_OPENAPI_CHANGED: (files: readonly string[]) =>
    `${files.join(", ")} ${files.length === 1 ? "differs" : "differ"} from what the portal answers now. Run: fw openapi --write`,
  FW_OPENAPI_MISSING: (file: string) => `there is no ${file} to compare with. Run: fw openapi --write`,
  FW_OPENAPI_FILE: (file: string) => `${file} is no JSON. Run: fw openapi --write`,
  FW_OPENAPI_ONE: (known: readonly string[]) =>
    `name the portal whose document is printed: --portal=${known[0] ?? "…"}. There are ${known.join(", ")}; --write writes all of them.`,
  FW_CLIENT_SOURCE: (known: readonly string[]) =>
    `name what the client is for: --portal=${known[0] ?? "…"}, or a document by --from.${known.length > 0 ? ` There are ${known.join(", ")}.` : ""}`,
  FW_CLIENT_DOCUMENT: (file: string) =>
    `${file} is no document of OpenAPI 3.1 with paths. fw openapi --write writes those of an application.`,
  FW_CLIENT_MALFORMED: (file: string, place: string) =>
    `${file} has at ${place} what OpenAPI 3.1 does not allow there. Correct it, or have whoever wrote the document do so.`,
  FW_CLIENT_NO_FILE: (file: string) => `there is no ${file}.`,
  FW_CLIENT_CHANGED: (file: string, command: string) =>
    `${file} differs from what its document says now. Run: ${command}`,
});
