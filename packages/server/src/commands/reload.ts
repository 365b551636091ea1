import { configFromEnvironment } from '../config.ts'
import type { Log } from '../platform/log.ts'

/** At a terminal the signal says that the terminal is gone, and ends the program as ever. */
export const onHangUp = (listener: () => void): void => {
  if (!process.stdout.isTTY) process.on('SIGHUP', listener)
}

/** SIGHUP takes the log level anew from the configuration, and nothing else: whatever else changes needs a start. */
export const takeLogLevelOnHangUp = (log: Log): void => onHangUp(() => takeLogLevel(log))

export const takeLogLevel = (log: Log): void => {
  try {
    const { logLevel } = configFromEnvironment()
    log.warn({ from: log.level, to: logLevel }, 'The log level is taken from the configuration')
    log.level = logLevel
  } catch (err) {
    log.error({ err }, 'The configuration cannot be read; the log level stays')
  }
}
