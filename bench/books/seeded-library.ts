import type { BenchDatabase } from '../databases/database.ts'
import type { SeedName } from '../gen/profiles.ts'
import { type Installation, makeInstallation } from '../installation.ts'
import { seededContent } from '../seeding/seeded-content.ts'

export interface SeededLibrary extends AsyncDisposable {
  readonly installation: Installation
  readonly books: number
}

/** An installation with a library of this size, as if it had been scanned, and a server that has not been started. */
export const seededLibrary = async (database: BenchDatabase, size: SeedName): Promise<SeededLibrary> => {
  const content = await seededContent(size)
  const { environment, prepare } = await database.withContent(content)
  const installation = await makeInstallation(environment, prepare)
  return { installation, books: content.books, [Symbol.asyncDispose]: () => installation[Symbol.asyncDispose]() }
}
