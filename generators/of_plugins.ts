// What the framework's plugins have for `fw generate`. No other file of this layer imports plugins' folders, and this one
// their lists alone: so that what is known while a plugin is not listed needs no plugin to be loaded.

import { installation as apiKeys } from "../plugins/api_keys/generators/index.ts";
import { installation as articles } from "../plugins/articles/generators/index.ts";
import { installation as attachments, generators as ofAttachments } from "../plugins/attachments/generators/index.ts";
import { installers as authlib, generators as ofAuthlib } from "../plugins/authlib/generators/index.ts";
import { installation as backgroundRuns } from "../plugins/background_runs/generators/index.ts";
import { installation as batches } from "../plugins/batches/generators/index.ts";
import { installation as boards } from "../plugins/boards/generators/index.ts";
import { installation as branding } from "../plugins/branding/generators/index.ts";
import { installation as bulkActions } from "../plugins/bulk_actions/generators/index.ts";
import { installation as bulkCreate } from "../plugins/bulk_create/generators/index.ts";
import { installation as calendar } from "../plugins/calendar/generators/index.ts";
import { installation as cards } from "../plugins/cards/generators/index.ts";
import { installation as comments } from "../plugins/comments/generators/index.ts";
import { installation as confirmedAddresses } from "../plugins/confirmed_addresses/generators/index.ts";
import { installers as dashboards } from "../plugins/dashboards/generators/index.ts";
import { installers as database, installation as slugs } from "../plugins/database/generators/index.ts";
import { installation as density } from "../plugins/density/generators/index.ts";
import { installation as exports } from "../plugins/exports/generators/index.ts";
import { installation as extraFields } from "../plugins/extra_fields/generators/index.ts";
import { installation as filters } from "../plugins/filters/generators/index.ts";
import { installation as grouping } from "../plugins/grouping/generators/index.ts";
import { installation as history } from "../plugins/history/generators/index.ts";
import { installation as idempotency } from "../plugins/idempotency/generators/index.ts";
import { installation as impersonation } from "../plugins/impersonation/generators/index.ts";
import { installation as imports } from "../plugins/imports/generators/index.ts";
import { installation as inlineEditing } from "../plugins/inline_editing/generators/index.ts";
import { installation as jobs } from "../plugins/jobs/generators/index.ts";
import { installation as jsonApi } from "../plugins/json_api/generators/index.ts";
import { installation as limits } from "../plugins/limits/generators/index.ts";
import { installation as listSettings } from "../plugins/list_settings/generators/index.ts";
import { installation as live } from "../plugins/live/generators/index.ts";
import { installation as mcp } from "../plugins/mcp/generators/index.ts";
import { installers as memberships } from "../plugins/memberships/generators/index.ts";
import { installation as navigation } from "../plugins/navigation/generators/index.ts";
import { installation as nestedRecords } from "../plugins/nested_records/generators/index.ts";
import { installation as notifications } from "../plugins/notifications/generators/index.ts";
import { installation as numbers } from "../plugins/numbers/generators/index.ts";
import { installers as oidc } from "../plugins/oidc/generators/index.ts";
import { installation as openapi } from "../plugins/openapi/generators/index.ts";
import { installation as personalData } from "../plugins/personal_data/generators/index.ts";
import { installers as portals } from "../plugins/portals/generators/index.ts";
import { installation as postgres } from "../plugins/postgres/generators/index.ts";
import { installation as presence } from "../plugins/presence/generators/index.ts";
import { installation as printing } from "../plugins/printing/generators/index.ts";
import { installation as reorder } from "../plugins/reorder/generators/index.ts";
import { generators as ofResources } from "../plugins/resources/generators/index.ts";
import { installation as savedViews } from "../plugins/saved_views/generators/index.ts";
import { installation as search } from "../plugins/search/generators/index.ts";
import { installation as shortcuts } from "../plugins/shortcuts/generators/index.ts";
import { installers as sso } from "../plugins/sso/generators/index.ts";
import { installation as states } from "../plugins/states/generators/index.ts";
import { installation as summaries } from "../plugins/summaries/generators/index.ts";
import { generators as ofTrash, installation as trash } from "../plugins/trash/generators/index.ts";
import { installation as tree } from "../plugins/tree/generators/index.ts";
import { installation as undo } from "../plugins/undo/generators/index.ts";
import { installation as webhooks } from "../plugins/webhooks/generators/index.ts";
import { generators as ofWizards, installation as wizards } from "../plugins/wizards/generators/index.ts";
import type { LoadGenerator } from "./generator.ts";
import type { Installation } from "./install/installation.ts";

/** The generators that are known while their plugins are listed. */
export const ofPlugins: Readonly<Record<string, LoadGenerator>> = {
  ...ofAttachments,
  ...ofAuthlib,
  ...ofResources,
  ...ofTrash,
  ...ofWizards,
};

/** Those that are known without their plugins' lines: they add these, or every application has the plugin. */
export const installers: Readonly<Record<string, LoadGenerator>> = {
  ...portals,
  ...database,
  ...authlib,
  ...memberships,
  ...dashboards,
  ...oidc,
  ...sso,
};

const all: readonly Installation[] = [
  ...[
    attachments,
    backgroundRuns,
    batches,
    bulkActions,
    bulkCreate,
    confirmedAddresses,
    density,
    exports,
    extraFields,
    filters,
    imports,
    inlineEditing,
    jobs,
    limits,
    live,
    navigation,
    notifications,
    numbers,
    postgres,
    printing,
    cards,
    boards,
    calendar,
    articles,
    grouping,
    tree,
    reorder,
  ],
  ...[
    branding,
    history,
    comments,
    idempotency,
    webhooks,
    impersonation,
    jsonApi,
    listSettings,
    nestedRecords,
    personalData,
    openapi,
    mcp,
    apiKeys,
    presence,
    savedViews,
    search,
    shortcuts,
    slugs,
    states,
    summaries,
    trash,
    undo,
    wizards,
  ],
];

/** What `fw generate fw:install` can add, by name. */
export const installations: Readonly<Record<string, Installation>> = Object.fromEntries(
  all.map((one) => [one.name, one]),
);

/** An installation after those that it needs. */
export const installationChain = (name: string): readonly Installation[] => [
  ...new Set([...(installations[name]!.needs ?? []).flatMap(installationChain), installations[name]!]),
];

/** Generators of one installation each. */
export const installationAliases: Readonly<Record<string, LoadGenerator>> = Object.fromEntries(
  all.flatMap(({ name, alias }) =>
    alias === undefined
      ? []
      : [
          [
            alias,
            async () => ({ default: (await import("./install/install.ts")).aliasOf(alias, installationChain(name)) }),
          ],
        ],
  ),
);
