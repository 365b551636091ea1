export { default as home } from '../../features/home/strings/ko.json'
export { default as lists } from '../../lists/strings/ko.json'
export { default as common } from '../../ui/strings/ko.json'

export const others = import.meta.glob<object>(
  [
    '../../metadata/strings/ko.json',
    '../../frame/palette/strings/ko.json',
    '../../features/**/strings/ko.json',
    '!**/features/home/**',
  ],
  { import: 'default' },
)
