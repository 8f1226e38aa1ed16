/** Words of the 3D stage. */
export const viewer = {
  stage: "3D space: {{title}}",
  canvas: "3D view of {{title}}. Use the arrow keys to move.",
  start: "Enter the space",
  loading: "Preparing the space",
  progress: "Preparing the space: {{percent}}%",
  slow: "This is taking a while.",
  ready: "The space is ready.",
  place: "You are here: {{title}}.",
  openElsewhere: "Open at {{host}}",
  metres: "{{metres}} m",
  placeHere: "Place it here",
  cluster: "{{count}} items close together",
  stepTo: "Go to {{title}}",
  listed: "{{problem}} Everything in the space is in the list on this page.",
  noScript: "The 3D view needs JavaScript.",
  failed: {
    webgl_unavailable: "This browser cannot show 3D (WebGL 2). Use another browser or device.",
    load_failed: "The 3D space could not be loaded. Try again.",
    context_lost:
      "The 3D view stopped because the device ran out of graphics memory. Close other tabs and try again.",
    refused: "The 3D space cannot be shown here.",
    too_large: "This space is too large for this device. A computer with more memory may show it.",
    unreachable: "The showcase cannot be reached at the moment.",
  },
  interrupted: "The 3D view is interrupted. One moment, it is being brought back.",
  wholeFailed:
    "A simpler version is shown because the full one could not be loaded. Reload the page to try again.",
  partFailed: "That place could not be loaded. You are still where you were.",
} as const;
