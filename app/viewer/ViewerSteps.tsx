import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "~/i18n/translation";
import { lookAt } from "./core/angles";
import type { ViewerSource } from "./core/contract";

type Nodes = Extract<ViewerSource, { kind: "panorama" }>["nodes"];

interface StepsProps {
  readonly nodes: Nodes;
  /** Id of the visitor's node. */
  readonly nodeId: string;
  readonly icon?: (name: string) => ReactNode;
  /** Classes of the bar and of each button. */
  readonly barClassName: string;
  readonly buttonClassName: string;
  onStep(nodeId: string): void;
}

/**
 * Buttons for the panorama nodes (camera positions) to which the visitor can step, each with an arrow that points to its node for any direction
 * of the camera: the stage updates its `--yaw` (radians). They stay visible when the other buttons disappear.
 */
export function ViewerSteps({ nodes, nodeId, icon, barClassName, buttonClassName, onStep }: StepsProps) {
  const { t } = useTranslation();
  const list = useRef<HTMLDivElement>(null);
  const hasStepped = useRef(false);
  const currentNode = nodes.find(({ id }) => id === nodeId);
  const reachableNodes = nodes.filter(({ id }) => id !== nodeId && currentNode?.links.includes(id));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the pressed button is removed when the node changes
  useEffect(() => {
    if (hasStepped.current && document.activeElement === document.body)
      list.current?.querySelector("button")?.focus();
    hasStepped.current = false;
  }, [nodeId]);
  if (!currentNode || reachableNodes.length === 0) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields
    <div
      ref={list}
      data-bar=""
      role="group"
      aria-label={t("visitors-late:viewer.steps")}
      className={`${barClassName} pointer-events-auto max-w-full overflow-x-auto`}
    >
      {reachableNodes.map(({ id, title, position }) => (
        <button
          key={id}
          type="button"
          className={`${buttonClassName} shrink-0`}
          onClick={() => {
            hasStepped.current = true;
            onStep(id);
          }}
        >
          {icon && (
            <span
              aria-hidden="true"
              style={{
                rotate: `calc((var(--yaw, 0) - ${lookAt(currentNode.position, position).yaw}) * 1rad - 90deg)`,
              }}
            >
              {icon("arrow-right")}
            </span>
          )}
          {title}
        </button>
      ))}
    </div>
  );
}
