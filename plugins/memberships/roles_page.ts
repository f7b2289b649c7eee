import { html, humanize, notFound, type Reply } from "framewright/host";
import { type ResourcePlace, type ResourceRequest, valueLabels } from "framewright/plugins/resources";
import {
  chrome,
  type Entry,
  type ListHead,
  listLabel,
  numberText,
  ownText,
  readRecords,
} from "framewright/plugins/resources/toolkit";
import { iconOrNothing } from "framewright/plugins/views";
import { membershipOf, rolesOfMembers } from "./concern.ts";
import { isMembership } from "./membership.ts";

/** The most members that the page names of a role; its list has all. */
const MAX_MEMBERS = 20;
const MAX_COUNTED = 10_000;
const PATH = "_roles";

/** A role on the page, with the first of those who have it. */
interface ListedRole {
  readonly role: string;
  readonly label: string;
  /** What it is, where the catalogue says so: `models.organization_user.value_texts.role.admin`. */
  readonly text: string;
  readonly members: readonly Entry[];
  readonly total: number;
  readonly capped: boolean;
}

/** Whether a list is that of the members who enter the tenants of its portal. */
const isOfMembers = (controller: ResourceRequest): boolean =>
  controller.about.parent === undefined && membershipOf(controller.constructor) === controller.registration.model.class;

/** Draws `GET <members>/_roles`, which portals answer that are entered by the memberships. */
export function drawRoles({ about, base, single, draw }: ResourcePlace): void {
  const { model, tenant } = about.registration;
  if (single || about.parent || tenant === undefined || !isMembership(model.class)) return;
  draw("GET", `${base}/${PATH}`, { action: showRoles, policy: "canIndex" });
}

/** The link to the page, at the head of the list of members. */
export function rolesLink({ controller, menu, names, urls }: ListHead): void {
  if (!isOfMembers(controller) || !names.includes("role")) return;
  const label = controller.t("memberships.roles.title");
  menu.push(html`<a class="btn" href="${`${urls.base}/${PATH}`}">${iconOrNothing("shield")}${label}</a>`);
}

/** The page of the roles, for who may see the list of members with their roles. @throws HttpError 403, 404 */
async function showRoles(controller: ResourceRequest): Promise<Reply> {
  await controller.authorizeAction("index");
  if (!isOfMembers(controller) || !controller.listOf("Index").includes("role")) throw notFound();
  const { registration, request } = controller;
  const roles: ListedRole[] = [];
  for (const role of rolesOfMembers(registration.model.class)) roles.push(await readRole(controller, role));
  if (request.format === "json") return controller.json({ data: roles.map(jsonOf) });
  const title = controller.t("memberships.roles.title");
  const listUrl = controller.listUrl;
  const locals = {
    ...chrome(controller, { title, trail: [{ label: title }] }),
    members_label: listLabel(controller, controller.about),
    roles: roles.map((one) => ({
      ...one,
      count: numberText(controller, one.total) + (one.capped ? "+" : ""),
      members: one.members.map((member) => ({ label: member.toLabel(), url: member.link() })),
      more: Math.max(0, one.total - one.members.length),
      more_url: `${listUrl}?filter[role]=${encodeURIComponent(one.role)}`,
    })),
  };
  return controller.render("memberships/roles", { locals });
}

async function readRole(controller: ResourceRequest, role: string): Promise<ListedRole> {
  const { registration, resources } = controller;
  const { model } = registration;
  const query = controller.visibleRecords().where(`${model.table}.role`, role as never);
  const { total, capped } = await resources.database.countUpTo(query.clone(), MAX_COUNTED);
  const first = query.orderBy(`${model.table}.${model.primaryKey}`).limit(MAX_MEMBERS);
  const members = total === 0 ? [] : await readRecords(controller, first, model.class.labelAssociations);
  const label = valueLabels(controller, registration, "role")?.[role] ?? humanize(role);
  return {
    role,
    label,
    text: ownText(controller, registration, `value_texts.role.${role}`, ""),
    members,
    total,
    capped,
  };
}

const jsonOf = ({ role, label, text, members, total, capped }: ListedRole) => ({
  role,
  label,
  text: text === "" ? null : text,
  total,
  capped,
  members: members.map((member) => ({ id: member.id, label: member.toLabel() })),
});
