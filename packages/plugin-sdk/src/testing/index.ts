export { type Ended, type HostOptions, type TestHost, startPlugin } from './start-plugin.ts'
