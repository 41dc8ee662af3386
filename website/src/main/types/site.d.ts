// What assets/index.js holds: the sections of all pages.

declare const searchIndex: { link: string; page: string; heading: string; text: string }[];
