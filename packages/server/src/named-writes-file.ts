/** The sources have the .ts file beside this one, the bundle the .js file beside the bundle. */
export const namedWritesFile = new URL(
  import.meta.url.endsWith('.ts') ? './named-writes.ts' : './named-writes.js',
  import.meta.url,
)
