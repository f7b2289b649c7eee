import { html, humanize, notFound, type Reply } from "framewright/host";
import type { BaseModel } from "framewright/plugins/database";
import { labelOf, type ResourcePlace, type ResourceRequest, valueLabels } from "framewright/plugins/resources";
import {
  chrome,
  type Entry,
  type ListHead,
  numberText,
  ownText,
  readRecords,
} from "framewright/plugins/resources/toolkit";
import { iconOrNothing } from "framewright/plugins/views";
import { membershipOf, rolesOfMembers } from "./concern.ts";
import { isMembership } from "./membership.ts";
import { ownersOf } from "./shape.ts";

/** The most members that the page names of a role; its list has all. */
const MAX_MEMBERS = 20;
const MAX_COUNTED = 10_000;
const PATH = "_roles";

interface ListedMember {
  readonly id: unknown;
  /** What the person is called, where the list shows that; else what their membership is called. */
  readonly label: string;
  /** The page of the membership, where the person who reads may see it. */
  readonly url: string | undefined;
}
/** A role on the page, with the first of those who have it. */
interface ListedRole {
  readonly role: string;
  readonly label: string;
  /** What it is, where the catalogue describes it: `models.organization_user.value_texts.role.admin`. */
  readonly text: string;
  readonly members: readonly ListedMember[];
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

/** The page of the roles, for people who may see the list of members with their roles. @throws HttpError 403, 404 */
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
    roles: roles.map((one) => ({
      ...one,
      count: numberText(controller, one.total) + (one.capped ? "+" : ""),
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
  const { user } = ownersOf(model);
  const person = user && controller.listOf("Index").includes(user.name) ? user.name : undefined;
  const loaded = [...new Set([...model.class.labelAssociations, ...(person === undefined ? [] : [person])])];
  const entries = total === 0 ? [] : await readRecords(controller, first, loaded);
  const members = entries.map((entry) => memberOf(controller, entry, person));
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

function memberOf(controller: ResourceRequest, entry: Entry, person: string | undefined): ListedMember {
  const related = person && (entry.record as unknown as Record<string, BaseModel | null>)[person];
  return { id: entry.id, label: related ? labelOf(controller, related) : entry.toLabel(), url: entry.link() };
}

const jsonOf = ({ role, label, text, members, total, capped }: ListedRole) => ({
  role,
  label,
  text: text === "" ? null : text,
  total,
  capped,
  members: members.map(({ id, label }) => ({ id, label })),
});
