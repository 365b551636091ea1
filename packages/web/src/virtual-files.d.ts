/** Made by the build: build/mantine-variables.ts. */
declare module 'virtual:mantine-variables.css'
