// What other plugins and applications may use of resources.
export { contains } from "framewright/plugins/fields/toolkit";
export { type PolicyAnswer, type PolicyPerson, policyReport } from "./commands/policy_report.ts";
export type { DefinitionPlace, RecordEvent, ResourceHooks } from "./contract.ts";
export { ResourceController, resourceOf } from "./controller.ts";
export type { ActionContext, ActionOptions, ResourceAction } from "./definition/actions.ts";
export { type Attribute, isFileField, isSecret } from "./definition/attributes.ts";
export { isBuiltInPredicate } from "./definition/built_in_predicates.ts";
export { isCredential } from "./definition/credentials.ts";
export { type DefinitionClass, type DefinitionMacros, ResourceDefinition } from "./definition/definition.ts";
export type {
  Fieldset,
  FieldsetOptions,
  FilterGroup,
  FilterInput,
  FilterOptions,
  ListContext,
  ResourceColumnOptions,
  ResourceFieldOptions,
  ResourceInputOptions,
  ScopeOptions,
  SectionOptions,
  SectionPage,
  SortOptions,
} from "./definition/definition_options.ts";
export {
  Interaction,
  type InteractionClass,
  type InteractionContext,
  type TargetContext,
} from "./definition/interaction.ts";
export type {
  AnyInteractionAttributes,
  InteractionAttributes,
  InteractionInput,
  InteractionValues,
} from "./definition/interaction_values.ts";
export { fail, type Outcome, type Success, succeed } from "./definition/outcome.ts";
export {
  type AttributeList,
  allows,
  isAllowed,
  Policy,
  type PolicyClass,
  type PolicyContext,
  type PolicyDecision,
  type PolicyPreparation,
  type PolicyUser,
  predicateOf,
} from "./definition/policy.ts";
export { listOfNobody } from "./definition/policy_checks.ts";
export { QueryScope } from "./definition/query_scope.ts";
export type { TotalKind } from "./definition/total_kinds.ts";
export { hideReferences } from "./entry/hidden_references.ts";
export { labelledValue, labelOf } from "./entry/labels.ts";
export type {
  BackgroundPerson,
  BackgroundProblem,
  BackgroundRunEvent,
  BackgroundRunInfo,
  BackgroundRunState,
  BackgroundStarter,
} from "./operations/background.ts";
export type { RefusalKind } from "./operations/denial.ts";
export { fieldSource } from "./operations/field_source.ts";
export { answerSearch } from "./operations/typeahead.ts";
export type { PanelList, PanelOptions, PanelPage, RecordPage } from "./pages/added_panels.ts";
export type { ActionsShown } from "./pages/hidden_actions.ts";
export { defineResource } from "./registration/define_resource.ts";
export type { CustomOptions, CustomRoutes, ResourceRoutes } from "./registration/draw_routes.ts";
export type { PluginResource } from "./registration/plugin_resource.ts";
export { type RegisterOptions, Registration, type ResourceRoute } from "./registration/registration.ts";
export type { ResourcePlace, ResourceRouteOptions } from "./registration/resource_place.ts";
export {
  commonLabel,
  fieldLabel,
  inSentence,
  type LabelPlace,
  type Labels,
  labelsFor,
  namedChoices,
  type ValueLabels,
  valueLabels,
} from "./registration/resource_texts.ts";
export type { ResourceUrlOptions, ResourceUrlSubject } from "./registration/urls.ts";
export type { ResourceRequest } from "./request.ts";
export type { Resources } from "./service_contract.ts";
