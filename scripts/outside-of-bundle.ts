/** Native code, and what is found through its own package: everything else goes into the bundle. */
export const outsideOfBundle: readonly string[] = [
  '@fastify/swagger-ui',
  '@hyzyla/pdfium',
  '@node-rs/argon2',
  '7z-wasm',
  'better-sqlite3',
  'sharp',
]
