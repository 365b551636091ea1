import type { TestProject } from 'vitest/node'
import { unpackChromium } from './chromium.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder Chromium was unpacked to. */
    chromium: string
  }
}

/** All test files share what is unpacked here. */
export const setup = async (project: TestProject): Promise<() => PromiseLike<void>> => {
  const unpacked = await unpackChromium()
  project.provide('chromium', unpacked.folder)
  return () => unpacked[Symbol.asyncDispose]()
}
