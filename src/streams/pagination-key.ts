/** Where a body says what the cursor of the next page is; beside the list, and no part of what is stored. */
export const paginationKey = 'paginacion';
