/** Reads the directives of an operation: @inContext and @defer. */
import { type DocumentNode, getOperationAST, type SelectionSetNode } from "graphql";

/** Reads the arguments of @inContext. */
export function readInContext(document: DocumentNode, variables: Readonly<Record<string, unknown>>) {
  const directive = getOperationAST(document)?.directives?.find(({ name }) => name.value === "inContext");
  const argumentOf = (argument: string) => {
    const value = directive?.arguments?.find(({ name }) => name.value === argument)?.value;
    if (value?.kind === "Variable") return variables[value.name.value];
    return value?.kind === "EnumValue" ? value.value : undefined;
  };
  return { language: argumentOf("language"), country: argumentOf("country") };
}

export interface Deferred {
  readonly path: readonly string[];
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Moves the fields of fragments with @defer out of a result. It supports only single objects on the path, which is enough for
 * Hiroba's queries.
 */
export function takeDeferred(document: DocumentNode, data: Record<string, unknown>): Deferred[] {
  const deferred: Deferred[] = [];
  const fragmentOf = (name: string) =>
    document.definitions.find(
      (definition) => definition.kind === "FragmentDefinition" && definition.name.value === name,
    );
  const keysOf = (selectionSet: SelectionSetNode) =>
    selectionSet.selections.flatMap((selection) =>
      selection.kind === "Field" ? [(selection.alias ?? selection.name).value] : [],
    );
  const walk = (
    selectionSet: SelectionSetNode | undefined,
    value: unknown,
    path: readonly string[],
  ): void => {
    if (!selectionSet || typeof value !== "object" || value === null || Array.isArray(value)) return;
    const object = value as Record<string, unknown>;
    for (const selection of selectionSet.selections) {
      if (selection.kind === "Field") {
        const key = (selection.alias ?? selection.name).value;
        walk(selection.selectionSet, object[key], [...path, key]);
        continue;
      }
      const definition = selection.kind === "FragmentSpread" ? fragmentOf(selection.name.value) : selection;
      const fragmentFields = definition && "selectionSet" in definition ? definition.selectionSet : undefined;
      if (!selection.directives?.some(({ name }) => name.value === "defer"))
        walk(fragmentFields, value, path);
      else if (fragmentFields) {
        const deferredData: Record<string, unknown> = {};
        for (const key of keysOf(fragmentFields)) {
          deferredData[key] = object[key];
          delete object[key];
        }
        deferred.push({ path, data: deferredData });
      }
    }
  };
  walk(getOperationAST(document)?.selectionSet, data, []);
  return deferred;
}
