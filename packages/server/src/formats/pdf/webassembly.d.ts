/** The part of WebAssembly used here: Node has it, its types leave it to those of the browser. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array)
    static imports(module: Module): { readonly module: string; readonly name: string }[]
  }

  class Instance {
    constructor(module: Module, imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>)
    readonly exports: unknown
  }
}
