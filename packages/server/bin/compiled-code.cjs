'use strict'

/*
 * What V8 has compiled of the bundle, with the functions that a start calls: Node's own cache holds only what is compiled when a file
 * is read, and a start calls two thousand functions more. The build leaves it (scripts/build-server.ts); another Node compiles for
 * itself, and leaves that where it may write.
 */

const {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} = require('node:fs')
const Module = require('node:module')
const { basename, dirname, join } = require('node:path')
const { Script, constants } = require('node:vm')
const { crc32 } = require('node:zlib')

const wrapper = ['(function (exports, require, module, __filename, __dirname) {', '\n})']
/** V8 takes what was compiled with the same flags only, and some are set after five seconds (platform/memory/rest.ts). */
const keptAfterMs = 4000
const bytesMax = 32 * 1024 * 1024

/** Files of `folder` that are required from now on are taken from what is kept of this program in `kept`, as far as they are in it. */
exports.takeCompiled = (folder, { kept, program, mayKeep }) => {
  const file = join(kept, `${program}-${process.version}-${process.arch}.bin`)
  const compiled = readCompiled(file)
  const scripts = new Map()
  let isComplete = compiled !== undefined
  const { extensions } = require
  const usual = extensions['.js']
  extensions['.js'] = (module, path) => {
    if (dirname(path) !== folder) return usual(module, path)
    const source = readFileSync(path, 'utf8')
    const name = basename(path)
    const code = compiled?.(name)
    const script = new Script(wrapper.join(source), {
      filename: path,
      columnOffset: -wrapper[0].length,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      ...(code && { cachedData: code }),
    })
    if (code === undefined || script.cachedDataRejected) isComplete = false
    scripts.set(name, script)
    const { exports } = module
    script.runInThisContext().call(exports, exports, Module.createRequire(path), module, path, folder)
  }
  if (!mayKeep) return
  let isKept = false
  const keep = () => {
    if (!isComplete && !isKept) writeCompiled(file, scripts)
    isKept = true
    scripts.clear()
  }
  setTimeout(keep, keptAfterMs).unref()
  process.once('exit', keep)
}

/**
 * V8 believes what it is given, so it gets nothing that has suffered on its way. It compares the length of the source; that the rest is
 * the same too is seen to by the build and by what installs, which empty the folder with the bundle.
 */
function readCompiled(file) {
  try {
    const headLength = readBytes(file, 0, 4).readUInt32LE(0)
    const head = new Map(JSON.parse(readBytes(file, 4, headLength).toString('utf8')))
    // Each part is read when it is needed, and forgotten then: all of them are 6 MB that a process would hold for good.
    return (name) => {
      const part = head.get(name)
      if (part === undefined) return undefined
      try {
        const code = readBytes(file, 4 + headLength + part.from, part.to - part.from)
        return crc32(code) === part.sum ? code : undefined
      } catch {
        // Somebody has replaced the bundle, and what was compiled with it.
        return undefined
      }
    }
  } catch {
    return undefined
  }
}

function readBytes(file, from, length) {
  const descriptor = openSync(file)
  try {
    // A length that the file itself says may be nonsense.
    const bytes = Buffer.alloc(Math.min(length, bytesMax))
    return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, from))
  } finally {
    closeSync(descriptor)
  }
}

function removeIfThere(file) {
  try {
    rmSync(file, { force: true })
  } catch {
    // It is not there, or has to stay.
  }
}

function writeCompiled(file, scripts) {
  const head = []
  const parts = []
  let from = 0
  for (const [name, script] of scripts) {
    const code = script.createCachedData()
    head.push([name, { from, to: from + code.length, sum: crc32(code) }])
    parts.push(code)
    from += code.length
  }
  const headBytes = Buffer.from(JSON.stringify(head))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(headBytes.length)
  const unfinished = `${file}.${process.pid}`
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o755 })
    writeFileSync(unfinished, Buffer.concat([length, headBytes, ...parts]))
    // It holds nothing that is not in the bundle, and whoever installs is often not who starts.
    chmodSync(unfinished, 0o644)
    renameSync(unfinished, file)
  } catch {
    // Most installations are not ours to write to, and a disk may be full.
    removeIfThere(unfinished)
  }
}
