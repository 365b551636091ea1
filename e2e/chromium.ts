import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import packed, { inflate } from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'

export interface UnpackedChromium extends AsyncDisposable {
  readonly folder: string
}

const librariesFile = join(
  dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')),
  '../bin/al2023.tar.br',
)

/** Chromium with its fonts and the libraries it needs, in a folder that is gone with the variable: nothing has to be installed. */
export const unpackChromium = async (): Promise<UnpackedChromium> => {
  const folder = await mkdtemp(join(tmpdir(), 'carrel-chromium-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  const { TMPDIR } = process.env
  // The package unpacks to the temporary folder and takes what it finds there, half unpacked or not.
  process.env.TMPDIR = folder
  try {
    await packed.executablePath()
    await inflate(librariesFile)
    await writeFile(join(folder, 'fonts.conf'), fontSettings(folder))
  } catch (error) {
    await remove()
    throw error
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
  }
  return { folder, [Symbol.asyncDispose]: remove }
}

/** The fonts that came along and no others, so that pages look the same everywhere. */
const fontSettings = (folder: string): string =>
  `<fontconfig><dir>${join(folder, 'fonts/fonts')}</dir><cachedir>${join(folder, 'fonts-cache')}</cachedir></fontconfig>\n`

/** The isolation between sites must stay switched on, because it is tested. */
export const launchChromium = (folder: string): Promise<Browser> =>
  chromium.launch({
    handleSIGTERM: false,
    executablePath: join(folder, 'chromium'),
    // Tests run as root in containers, where Chromium has no sandbox; pages are drawn by the processor, and a process that stands
    // in for a graphics card would only carry them from one to the other.
    args: ['--no-sandbox', '--disable-gpu', '--in-process-gpu', '--disable-software-rasterizer'],
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(folder, 'al2023/lib'),
      FONTCONFIG_FILE: join(folder, 'fonts.conf'),
    },
  })
