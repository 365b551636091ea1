export * from './compat/system.ts'
export * from './koreader.ts'
export * from './koreader-files.ts'
export * from './opds/opds1.ts'
