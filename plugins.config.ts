import { definePlugins } from "framewright";
import { assets } from "framewright/plugins/assets";
import { authlib } from "framewright/plugins/authlib";
import { backgroundRuns } from "framewright/plugins/background_runs";
import { bulkActions } from "framewright/plugins/bulk_actions";
import { dashboards } from "framewright/plugins/dashboards";
import { database } from "framewright/plugins/database";
import { density } from "framewright/plugins/density";
import { exports } from "framewright/plugins/exports";
import { extraFields } from "framewright/plugins/extra_fields";
import { filters } from "framewright/plugins/filters";
import { i18n } from "framewright/plugins/i18n";
import { imports } from "framewright/plugins/imports";
import { inlineEditing } from "framewright/plugins/inline_editing";
import { jobs } from "framewright/plugins/jobs";
import { jwtTokens } from "framewright/plugins/jwt";
import { layout } from "framewright/plugins/layout";
import { limits } from "framewright/plugins/limits";
import { mailer } from "framewright/plugins/mailer";
import { memberships } from "framewright/plugins/memberships";
import { nestedRecords } from "framewright/plugins/nested_records";
import { passwords } from "framewright/plugins/passwords";
import { portals } from "framewright/plugins/portals";
import { printing } from "framewright/plugins/printing";
import { reorder } from "framewright/plugins/reorder";
import { resources } from "framewright/plugins/resources";
import { scoping } from "framewright/plugins/scoping";
import { search } from "framewright/plugins/search";
import { sessions } from "framewright/plugins/sessions";
import { shortcuts } from "framewright/plugins/shortcuts";
import { states } from "framewright/plugins/states";
import { storage } from "framewright/plugins/storage";
import { summaries } from "framewright/plugins/summaries";
import { views } from "framewright/plugins/views";
import { wizards } from "framewright/plugins/wizards";

/** The plugins of this application. A line left out is a capability left out. */
export default definePlugins([
  database(),
  i18n(),
  sessions(),
  views(),
  layout(),
  assets(),
  portals(),
  resources(),
  extraFields(),
  exports(),
  imports(),
  backgroundRuns(),
  search(),
  shortcuts(),
  density(),
  filters(),
  bulkActions(),
  summaries(),
  inlineEditing(),
  reorder(),
  states(),
  printing(),
  nestedRecords(),
  scoping(),
  dashboards(),
  memberships(),
  limits(),
  jobs(),
  mailer(),
  passwords(),
  authlib(),
  jwtTokens(),
  storage(),
  wizards(),
]);
