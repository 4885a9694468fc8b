package corpus.comments;

parcelable LongLine {
    // 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789
    int a_rather_long_name_for_a_field_that_will_not_fit_into_one_line_of_the_generated_code_whatever_happens = 1 + 2 + 3;
    String another_rather_long_name_for_a_field_with_a_rather_long_default = "0123456789 0123456789 0123456789 0123456789 0123456789";
}
