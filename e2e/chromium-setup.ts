import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import chromium, { inflate } from '@sparticuz/chromium'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder Chromium was unpacked to. */
    chromium: string
  }
}

const librariesFile = join(
  dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')),
  '../bin/al2023.tar.br',
)

/** It unpacks Chromium, its fonts and the libraries it needs, once for all test files: nothing has to be installed. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const folder = await mkdtemp(join(tmpdir(), 'carrel-chromium-'))
  const { TMPDIR } = process.env
  // The package unpacks to the temporary folder and takes what it finds there, half unpacked or not.
  process.env.TMPDIR = folder
  try {
    await chromium.executablePath()
    await inflate(librariesFile)
    await writeFile(join(folder, 'fonts.conf'), fontSettings(folder))
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
  }
  project.provide('chromium', folder)
  return () => rm(folder, { recursive: true, force: true })
}

/** The fonts that came along and no others, so that pages look the same everywhere. */
const fontSettings = (folder: string): string =>
  `<fontconfig><dir>${join(folder, 'fonts/fonts')}</dir><cachedir>${join(folder, 'fonts-cache')}</cachedir></fontconfig>\n`
