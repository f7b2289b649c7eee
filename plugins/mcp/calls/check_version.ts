import { conflict } from "framewright/host";
import type { ResourceRequest } from "framewright/plugins/resources";
import { requestedVersion } from "framewright/plugins/resources/toolkit";
import type { InnerRequests } from "./inner_request.ts";

/**
 * An action is about to be carried out for a call that was confirmed for a version of the record. Changes and deletions check theirs
 * again in their transaction. @throws HttpError 409
 */
export function checkVersion(requests: InnerRequests, controller: ResourceRequest): void {
  const { record, registration, request } = controller;
  const version = record && requests.callOf(request)?.version;
  if (version === undefined) return;
  const { model } = registration;
  if (!(record instanceof model.class)) return; // the parent of what is about to be created
  const isSame = model.isVersion(requestedVersion(version, undefined)!, (name) => Reflect.get(record, name) as unknown);
  if (!isSame) throw conflict(request.t("mcp.changed"));
}
