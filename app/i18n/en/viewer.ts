/** Words of the 3D stage. */
export const viewer = {
  stage: "3D space: {{title}}",
  canvas: "3D view of {{title}}. Use the arrow keys to move.",
  start: "Enter the space",
  loading: "Preparing the space",
  progress: "Preparing the space: {{percent}}%",
  slow: "This is taking a while. Everything in the space is in the list on this page.",
  ready: "The space is ready.",
  place: "You are here: {{title}}.",
  openElsewhere: "Open at {{host}}",
  newTab: "opens in a new tab",
  metres: "{{metres}} m",
  cluster: "{{count}} items close together",
  stepTo: "Go to {{title}}",
  retry: "Try again",
  noScript: "The 3D view needs JavaScript. Everything in it is in the list on this page.",
  failed: {
    webgl_unavailable: "This browser cannot show 3D. Everything in the space is in the list on this page.",
    load_failed: "The 3D space could not be loaded. Everything in it is in the list on this page.",
    context_lost:
      "The 3D view stopped because the device ran out of graphics memory. Everything in the space is in the list on this page.",
    refused: "The 3D space cannot be shown here. Everything in it is in the list on this page.",
    too_large:
      "This space is too large for this device. Everything in it is in the list on this page; a computer with more memory may show it.",
    unreachable:
      "The showcase cannot be reached at the moment. Everything this event shows is in the list on this page.",
  },
  partFailed: "That place could not be loaded. You are still where you were.",
} as const;
